"""The collections that were open before, the last one first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spotlab.gui.kit.known_paths import KnownPaths
from spotlab.gui.kit.known_settings import RECENT
from spotlab.gui.kit.settings import Settings
from spotlab.signal import Signal

KEPT = 10


class Recent:
    """Folders and files that were opened; those that are gone are not offered.

    ``changed`` is emitted when others are offered.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known = KnownPaths()
        self.changed = Signal[[]]()
        self._known.changed.connect(self.changed.emit)
        self.look()

    @property
    def paths(self) -> list[Path]:
        """Paths that can be opened again, the last one first."""
        return [path for path in self._kept if self._known.is_there(path)]

    def look(self) -> None:
        """See which paths are there now; the file system may take its time."""
        self._known.look(self._kept)

    def note(self, opened: Sequence[Path]) -> None:
        """Remember that this has been opened: a folder, or the folder of several files."""
        if not opened:
            return
        path = opened[0].absolute()
        if len(opened) > 1:
            path = path.parent
        kept = [path, *(other for other in self._kept if other != path)]
        self._settings.set(RECENT, [str(path) for path in kept[:KEPT]])
        self.look()
        self.changed.emit()

    @property
    def _kept(self) -> list[Path]:
        return [Path(path) for path in self._settings.get(RECENT)[:KEPT]]
