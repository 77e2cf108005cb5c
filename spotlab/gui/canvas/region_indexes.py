"""The regions of the open page by place: those that are painted, and those that tools reach."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spotlab.editing.document import Edit
from spotlab.editing.region_index import RegionIndex
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.model import Region


class RegionIndexes:
    """One index while nothing is hidden or locked, else two.

    Attributes
    ----------
    shown, reachable : RegionIndex
    """

    def __init__(self, visibility: RegionVisibility) -> None:
        self._visibility = visibility
        self.shown = self.reachable = RegionIndex()

    @property
    def outdated(self) -> bool:
        """Whether all regions are in one index though some are hidden, or the reverse."""
        return (self.shown is not self.reachable) != self._visibility.in_force

    def use(self, regions: Iterable[Region]) -> None:
        """Take these regions."""
        regions, visibility = list(regions), self._visibility
        if not visibility.in_force:
            self.shown = self.reachable = RegionIndex(regions)
            return
        self.shown = RegionIndex(region for region in regions if not visibility.is_hidden(region))
        self.reachable = RegionIndex(filter(visibility.is_reachable, self.shown))

    def apply(self, edits: Sequence[Edit]) -> None:
        """Follow the document."""
        if self.shown is self.reachable:
            self.shown.apply(edits)
            return
        self.shown.apply(edits, lambda region: not self._visibility.is_hidden(region))
        self.reachable.apply(edits, self._visibility.is_reachable)
