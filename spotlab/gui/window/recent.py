"""The collections that were open before, the last one first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spotlab.gui.kit.settings import Settings
from spotlab.signal import Signal

SETTING = "recent"
KEPT = 10


class Recent:
    """Folders and files that were opened; those that are gone are not offered."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.changed = Signal[[]]()

    @property
    def paths(self) -> list[Path]:
        """What can be opened again, the last one first."""
        kept = self._settings.get(SETTING, [])
        return [Path(path) for path in kept if isinstance(path, str) and Path(path).exists()]

    def note(self, opened: Sequence[Path]) -> None:
        """Something has been opened: a folder, or the folder of several files."""
        if not opened:
            return
        path = opened[0].absolute()
        if len(opened) > 1:
            path = path.parent
        kept = [path, *(each for each in self.paths if each != path)]
        self._settings.set(SETTING, [str(each) for each in kept[:KEPT]])
        self.changed.emit()
