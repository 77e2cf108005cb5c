"""Which keys do what: the defaults, and what the user has made of them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QKeySequence

from spotlab.gui.kit.known_settings import KEYS
from spotlab.gui.kit.settings import Settings
from spotlab.gui.workspace.action import Action
from spotlab.signal import Signal

FIXED = {
    "Space": "pan while held",
    "Escape": "cancel the current gesture",
}  # the canvas needs them in every tool


class Keymap:
    """Keys of actions by id; ``changed`` is emitted when one has got others."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._defaults: dict[str, tuple[str, ...]] = {}
        self._titles: dict[str, str] = {}
        self._own: dict[str, list[str]] = {
            id: list(keys) for id, keys in settings.get(KEYS).items()
        }
        self.changed = Signal[[]]()

    def use(self, actions: Iterable[Action]) -> None:
        """Know these actions and their default keys."""
        for action in actions:
            self._defaults[action.id] = tuple(normal(key) for key in action.keys)
            self._titles[action.id] = action.plain_title

    def keys(self, id: str) -> tuple[str, ...]:
        """The keys of an action, the first one to be shown."""
        return tuple(self._own.get(id, self._defaults.get(id, ())))

    def shown(self, id: str) -> str:
        """The first key as this system writes it; empty if there is none."""
        keys = self.keys(id)
        native = QKeySequence.SequenceFormat.NativeText
        return QKeySequence(keys[0]).toString(native) if keys else ""

    def is_default(self, id: str) -> bool:
        """Whether the user has left the keys alone."""
        return id not in self._own

    def holder(self, key: str, but: str = "") -> str | None:
        """The id of the action that has this key; None if it is free."""
        wanted = normal(key)
        for id in self._defaults:
            if id != but and wanted in map(normal, self.keys(id)):
                return id
        return None

    def title(self, id: str) -> str:
        """What an action is called."""
        return self._titles[id]

    def assign(self, id: str, key: str, take: bool = False) -> str | None:
        """Let this key be the action's first; an empty one takes its keys away.

        Parameters
        ----------
        id : str
        key : str
            As Qt writes it, for instance "Ctrl+Shift+M".
        take : bool
            Take it from the action that has it.

        Returns
        -------
        str or None
            Who has the key, if that was left alone: then nothing has changed.
        """
        key = normal(key)
        holder = self.holder(key, id) if key else None
        if holder and not take:
            return holder
        if holder:
            self._own[holder] = [held for held in self.keys(holder) if normal(held) != key]
        rest = [held for held in self.keys(id)[1:] if normal(held) != key]
        self._own[id] = [key, *rest] if key else []
        self._keep()
        return None

    def reset(self, id: str | None = None) -> None:
        """Give an action, or all, their default keys; whoever has got one of them loses it."""
        for each in [id] if id else list(self._own):
            self._own.pop(each, None)
            for key in self._defaults.get(each, ()):
                holder = self.holder(key, each)
                if holder and holder in self._own:
                    self._own[holder] = [held for held in self._own[holder] if normal(held) != key]
        self._keep()

    def _keep(self) -> None:
        self._settings.set(KEYS, {id: list(keys) for id, keys in self._own.items()})
        self.changed.emit()


def normal(key: str) -> str:
    """The one way of writing a key.

    Examples
    --------
    >>> normal("ctrl+shift+m")
    'Ctrl+Shift+M'
    """
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
