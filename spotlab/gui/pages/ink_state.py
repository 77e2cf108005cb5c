"""Separation and display of ink, and the share of a component that a stroke must hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from spotlab.gui.kit.background import Task
from spotlab.gui.kit.settings import INK, INK_SHARE, PRIMITIVE, Settings
from spotlab.gui.pages.collection import Collection
from spotlab.imaging.ink import InkSettings, settings_as_values, settings_from_values
from spotlab.imaging.page_ink import PageInk
from spotlab.model import Primitive
from spotlab.progress import Progress
from spotlab.signal import Signal

VIEWS = ("raw", "binarised", "components")


class InkState:
    """The open page's ink and the user's choices about it, which outlive the program.

    ``changed`` is emitted when the ink, its view or a choice is another one, also when the
    components of the page have become known.
    """

    def __init__(self, settings: Settings) -> None:
        self._store = settings
        self.settings = settings.get(INK)
        self._collection: Collection | None = None
        self.view = "raw"
        self.share = settings.get(INK_SHARE)
        self.primitive = settings.get(PRIMITIVE)
        self.page: PageInk | None = None
        self.changed = Signal[[]]()
        self._task = Task(urgent=True)

    def use_collection(self, collection: Collection) -> None:
        """Take the settings that are kept with a collection, and keep them there from now on.

        Without any, the threshold is the one chosen last; nothing is removed from the ink.
        """
        self._collection = collection
        kept, plain = collection.kept("ink"), InkSettings()
        chosen = (
            settings_from_values(kept)
            if kept is not None
            else replace(
                self.settings,
                rulings=plain.rulings,
                specks=plain.specks,
                smallest=plain.smallest,
                colour=plain.colour,
                tolerance=plain.tolerance,
                tone=plain.tone,
            )
        )
        if chosen != self.settings:
            self.settings = chosen
            self.changed.emit()

    def use(self, page: PageInk | None) -> None:
        """Work on this page's ink and find its components in the background."""
        self._task.cancel()
        if page is self.page:
            return
        self.page = page
        self.changed.emit()
        if page and not page.is_labelled:
            self._task.start(_label, page, done=lambda _: self.changed.emit())

    def set_settings(self, **values: Any) -> None:
        """Change how ink is told from paper, for instance ``method="wolf"`` or ``offset=-10``."""
        settings = replace(self.settings, **values)
        if settings == self.settings:
            return
        self.settings = settings
        self._store.set(INK, settings)
        if self._collection is not None:
            self._collection.keep("ink", settings_as_values(settings))
        if self.page:
            self.use(PageInk(self.page.pixels, settings))
        else:
            self.changed.emit()

    def set_view(self, view: str) -> None:
        """Show the page "raw", "binarised" or its "components" in colours."""
        if view not in VIEWS:
            raise ValueError(f"there is no view {view!r}; there are {', '.join(VIEWS)}")
        self.view = view
        self.changed.emit()

    def set_share(self, share: float) -> None:
        """Take a component if more than this share of its pixels lies inside the stroke."""
        self.share = min(max(share, 0.0), 0.99)
        self._store.set(INK_SHARE, self.share)
        self.changed.emit()

    def set_primitive(self, primitive: Primitive) -> None:
        """Give what is sketched this kind of outline."""
        self.primitive = primitive
        self._store.set(PRIMITIVE, primitive)
        self.changed.emit()


def _label(page: PageInk, progress: Progress) -> None:
    page.label(progress)
