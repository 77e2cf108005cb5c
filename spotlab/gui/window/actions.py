"""Qt's actions of all menus: whether they can be done, and the keys that they have."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar
from shiboken6 import isValid

from spotlab.gui.kit import theme
from spotlab.gui.kit.settings import KEYS, Settings
from spotlab.gui.window.panels import LateWorkspaces
from spotlab.gui.workspace import Action, Menu, Obstacles, Window, Workspace
from spotlab.registry import guarded, is_outside
from spotlab.signal import Signal, observe

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
        """Tell whether the user has left the keys alone."""
        return id not in self._own

    def holder(self, key: str, but: str = "") -> str | None:
        """The id of the action that has this key; None if it is free."""
        wanted = normal(key)
        for id in self._defaults:
            if id != but and wanted in map(normal, self.keys(id)):
                return id
        return None

    def title(self, id: str) -> str:
        """Return what an action is called."""
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


_Held = Qt.KeyboardModifier


class Actions(QObject):
    """All actions of a window by id.

    After anything has happened, the actions on buttons follow; the others do once somebody asks for
    one, opens a menu or presses keys. Each condition is asked once.
    """

    def __init__(self, window: Window, keymap: Keymap, offered: Iterable[Menu]) -> None:
        super().__init__(window.frame)
        self._window = window
        self._spaces = spaces = window.part(LateWorkspaces)
        self._owners = {
            menu.name: space.name for space in spaces.by_name.values() for menu in space.menus
        }
        self.ran = Signal[[QAction]]()  # an action is about to be done
        self._late: dict[str, str] = {}  # by id, the workspace of an action that is not made yet
        self.owner = window.frame
        self.keymap = keymap
        self.by_id: dict[str, Action] = {}
        self._qactions: dict[str, QAction] = {}
        self._tips: dict[str, str] = {}
        self._explained: dict[str, tuple[str, str]] = {}  # by id: why it cannot be done, its tip
        self.menus = list(offered)
        for menu in sorted(self.menus, key=is_outside):  # spotlab's own ids are taken first
            if not guarded(menu, partial(self._take, menu)):
                self.menus.remove(menu)
        self.keymap.use(self.by_id.values())
        self.keymap.changed.connect(self._follow_keys)
        for id, action in self.by_id.items():
            if action.icon:
                self._qactions[id].setIcon(theme.icon(action.icon))
        self.set_keys()
        for menu in self.menus:
            owner = self._owners.get(menu.name)
            if owner and not spaces.is_made(owner):
                self._late |= dict.fromkeys((action.id for action in menu.actions), owner)
        spaces.made.connect(self._follow_made)
        self._shown: dict[str, QMenu] = {}  # in the bar, by name
        window.entered.connect(lambda _: self._show_menus(), self)
        self._on_buttons: dict[str, Action] = {}
        self._is_stale = False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._follow)
        observe(self._expire)
        window.frame.installEventFilter(self)
        self.update()

    def __getitem__(self, id: str) -> QAction:
        self._refresh()
        return self._qactions[id]

    def on_button(self, id: str) -> QAction:
        """An action that is always in sight."""
        self._on_buttons[id] = self.by_id[id]
        return self[id]

    def trigger(self, id: str) -> bool:
        """Do it; False if it cannot be done now."""
        self._update(self.by_id[id], {})
        qaction = self._qactions[id]
        possible = qaction.isEnabled()
        if possible:
            qaction.trigger()
        return possible

    def obstacle(self, id: str, known: Obstacles | None = None) -> str:
        """Why an action cannot be done now; empty if it can."""
        action = self.by_id[id]
        if id not in self._late:
            return action.obstacle(self._window, known)
        if action.before(self._window):
            return ""
        return f"Go to {self._spaces.by_name[self._late[id]].title} first"

    def explain(self, event: QKeyEvent) -> None:
        """Say why keys that were pressed do nothing, if they belong to an action."""
        held = event.modifiers() & (_Held.ControlModifier | _Held.AltModifier)
        if event.isAutoRepeat() or (event.text().isprintable() and event.text() and not held):
            return  # letters belong to whatever has the focus
        id = self.keymap.holder(QKeySequence(event.keyCombination()).toString())
        if id is None or self._is_elsewhere(id):
            return
        why = self.obstacle(id)
        if why:
            self._window.workbench.said.emit(f"{self.by_id[id].plain_title}: {why}", False)

    def _is_elsewhere(self, id: str) -> bool:
        """Tell whether the keys of an action count only on the canvas, and that has not the
        focus.
        """
        return self.by_id[id].on_canvas and not self._window.canvas.hasFocus()

    def fill(self, bar: QMenuBar) -> None:
        """Put all menus into the bar, which shows the general ones and those of the workspace."""
        for menu in self.menus:
            shown = self._shown[menu.name] = bar.addMenu(menu.title)
            shown.setToolTipsVisible(True)
            self.add_to(shown, [action for action in menu.actions if action.in_menu])
            owner = self._owners.get(menu.name)
            if owner:
                shown.aboutToShow.connect(partial(self._spaces.make, owner))
            shown.aboutToShow.connect(self.update)
        self._show_menus()

    def _show_menus(self) -> None:
        here = self._window.workbench.workspace
        for menu in self.menus:
            is_here = self._owners.get(menu.name, here) == here and menu.shown(self._window)
            self._shown[menu.name].menuAction().setVisible(is_here)

    def add_to(self, menu: QMenu, actions: list[Action]) -> None:
        """Put actions into a menu."""
        sections: dict[str, QMenu] = {}
        for action in actions:
            place = menu
            if action.section:
                if action.section not in sections:
                    if action.rule:
                        menu.addSeparator()
                    sections[action.section] = menu.addMenu(action.section)
                    sections[action.section].setToolTipsVisible(True)
                place = sections[action.section]
            elif action.rule:
                menu.addSeparator()
            place.addAction(self._qactions[action.id])

    def update(self) -> None:
        """Say of every action whether it can be done, whether it is on, and how it is called."""
        self._soon.stop()
        self._is_stale = False
        self._update_all(self.by_id.values())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See what can be done before a key is looked up among the shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride:
            self._refresh()
        return super().eventFilter(watched, event)

    def _refresh(self) -> None:
        if self._is_stale:
            self.update()

    def _expire(self) -> None:
        """Something has happened: see again what can be done, once all of it has."""
        if isValid(self) and not self._soon.isActive():
            self._is_stale = True
            self._soon.start()

    def _follow(self) -> None:
        if QApplication.activePopupWidget() is not None:  # a menu, for instance
            self.update()
        else:
            self._update_all(self._on_buttons.values())

    def _update_all(self, actions: Iterable[Action]) -> None:
        known: Obstacles = {}
        for action in actions:
            self._update(action, known)

    def _follow_made(self, space: Workspace) -> None:
        """A workspace can be asked about its actions now."""
        for menu in space.menus:
            for action in menu.actions:
                self._late.pop(action.id, None)

    def _update(self, action: Action, known: Obstacles) -> None:
        qaction, window = self._qactions[action.id], self._window
        why, tip = self.obstacle(action.id, known), self._tips.get(action.id, "")
        if self._explained.get(action.id) != (why, tip):  # menus and tools lay it out anew
            self._explained[action.id] = why, tip
            qaction.setEnabled(not why)
            qaction.setToolTip(f"{tip}\n{why}" if why else tip)
            qaction.setStatusTip(why or action.tip.partition("\n")[0])
        if action.shown:
            qaction.setVisible(action.shown(window))
        if callable(action.title):
            qaction.setText(action.title(window))
        if action.checked and action.id not in self._late:
            qaction.setChecked(action.checked(window))

    def set_keys(self) -> None:
        """Let actions have the keys that the keymap says."""
        for id, qaction in self._qactions.items():
            keys = self.keymap.keys(id)
            qaction.setShortcuts([QKeySequence(key) for key in keys])
            action = self.by_id[id]
            suffix = f"  ({self.keymap.shown(id)})" if keys else ""
            tip = action.tip or action.plain_title
            several = "\n" in tip  # lines are read below the name of what they explain
            title = f"{action.plain_title}{suffix}"
            self._tips[id] = f"{title}\n{tip}" if several else tip + suffix

    def _follow_keys(self) -> None:
        self.set_keys()
        self.update()

    def _take(self, menu: Menu) -> bool:
        """Make all actions of a menu, or raise and have none of them."""
        ids = [action.id for action in menu.actions]
        for id in ids:
            if id in self.by_id or ids.count(id) > 1:
                raise ValueError(f"two actions are called {id}")
        self._qactions |= {action.id: self._made(action) for action in menu.actions}
        self.by_id |= {action.id: action for action in menu.actions}
        return True

    def _made(self, action: Action) -> QAction:
        window = self._window
        owner = window.canvas if action.on_canvas else window.frame
        title = action.title if isinstance(action.title, str) else action.title(window)
        qaction = QAction(title, owner)
        qaction.setObjectName(action.id)
        qaction.setCheckable(action.checked is not None)
        qaction.setIconVisibleInMenu(action.checked is None)  # it would stand where the mark stands
        qaction.setAutoRepeat(action.repeats)
        if action.on_canvas:
            qaction.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        qaction.triggered.connect(partial(self._run, action))
        owner.addAction(qaction)
        return qaction

    def _run(self, action: Action, _: bool = False) -> None:
        if not self.obstacle(action.id):
            self.ran.emit(self._qactions[action.id])
            self._window.workbench.acted.emit()
            action.run(self._window)
        self.update()
