"""All reference regions of one page."""

from __future__ import annotations

from dataclasses import dataclass, field

from spotlab.model.labels import LabelSet
from spotlab.model.page import Page, PageState
from spotlab.model.region import Region
from spotlab.representation import short_repr


@dataclass(frozen=True)
class Truth:
    """The truth of one page, as read from a file and written to one.

    Attributes
    ----------
    page : Page
        The page; its image may be missing.
    regions : tuple of Region
        In the order of the file.
    labels : LabelSet
        Colours and digits of labels that the file contains; may be empty.
    source : bytes
        The PAGE file it was read from, so that a save keeps elements that are not understood; empty
        if there is none.

    Raises
    ------
    ValueError
        If two regions have the same id.
    """

    page: Page
    regions: tuple[Region, ...] = ()
    labels: LabelSet = field(default_factory=LabelSet)
    source: bytes = field(default=b"", repr=False)

    __repr__ = short_repr

    def __post_init__(self) -> None:
        ids = {region.id for region in self.regions}
        if len(ids) != len(self.regions):
            raise ValueError("two regions of a page have the same id")

    @property
    def state(self) -> PageState:
        """Completeness of the truth, derived from its regions and the mark of the page."""
        if any(region.uncertain for region in self.regions):
            return PageState.UNCERTAIN
        if self.page.checked:
            return PageState.CHECKED
        return PageState.DRAFT if self.regions else PageState.UNTOUCHED
