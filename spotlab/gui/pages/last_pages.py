"""Remembers which page of a folder was open last."""

from __future__ import annotations

from collections.abc import Mapping

from spotlab.gui.kit.known_settings import LAST_PAGES
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.collection import Collection

KEPT = 200  # folders


class LastPages:
    """The page of each folder that was open when the folder was closed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def note(self, collection: Collection, index: int | None) -> None:
        """This page of a collection is open as it is closed."""
        if index is None or len(collection.entries) < 2 or collection.folder is None:
            return
        folder, entry = str(collection.folder), collection.entries[index]
        kept = {name: page for name, page in self._pages.items() if name != folder}
        image = entry.image.absolute()
        inside = image.is_relative_to(collection.folder)
        kept[folder] = (
            str(image.relative_to(collection.folder) if inside else image),
            entry.frame,
        )
        self._settings.set(LAST_PAGES, dict(list(kept.items())[-KEPT:]))

    def of(self, collection: Collection) -> int:
        """The index of the page that was open last; 0 where it is not known or not listed.

        Of a file whose pages are not counted yet it is the first one.
        """
        match self._pages.get(str(collection.folder)):
            case (image, frame) if collection.folder is not None:
                path = collection.folder / image
                pages = enumerate(collection.entries)
                frames = {e.frame: index for index, e in pages if e.image.absolute() == path}
                return frames.get(frame, min(frames.values(), default=0))
        return 0

    @property
    def _pages(self) -> Mapping[str, tuple[str, int]]:
        return self._settings.get(LAST_PAGES)
