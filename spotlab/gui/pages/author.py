"""Who draws: the name that goes into the history of regions."""

from __future__ import annotations

import getpass

from spotlab.gui.kit.known_settings import AUTHOR
from spotlab.gui.kit.settings import Settings
from spotlab.signal import Signal


class Author:
    """The name of the person at the window; that of the account until somebody sets another.

    Attributes
    ----------
    changed : Signal
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._for_now = ""
        self.changed = Signal[[]]()

    @property
    def name(self) -> str:
        """The name; empty where even the account has none."""
        return self._for_now or self._settings.get(AUTHOR) or account_name()

    def set(self, name: str) -> None:
        """Use this name from now on, and after the next start; an empty one means the account's."""
        self._for_now = ""
        self._settings.set(AUTHOR, " ".join(name.split()))
        self.changed.emit()

    def use(self, name: str) -> None:
        """Use this name until the window is closed."""
        self._for_now = " ".join(name.split())
        self.changed.emit()


def account_name() -> str:
    """The name of the user's account; empty where the system does not know it."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
