"""All reference regions of one page, and the page itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from spotlab.files import composed
from spotlab.model.labels import LabelSet
from spotlab.model.reading_order import OrderGroup
from spotlab.model.region import Region
from spotlab.representation import short_repr


class PageState(StrEnum):
    """Completeness of a page's truth."""

    UNTOUCHED = "untouched"  # nothing has been drawn
    DRAFT = "draft"  # regions are there, nobody has said that they are all
    CHECKED = "checked"  # somebody has said so
    UNCERTAIN = "uncertain"  # some region is flagged uncertain


@dataclass(frozen=True)
class Page:
    """One document image.

    Attributes
    ----------
    image : Path
        The image file.
    width, height : int
        Size in px as displayed, after any EXIF rotation.
    frame : int
        Index of the page in the file, from 0.
    frames : int
        Number of pages in the file.
    checked : bool
        Whether somebody marked the truth as complete.
    order : OrderGroup or None
        The order in which the regions are read; it may name regions that are not there.
    called : str
        What the collection calls the image, where its stem alone does not tell it from others:
        its path below the collection.

    Raises
    ------
    ValueError
        If the page has no area, or ``frame`` is not within the file.
    """

    image: Path
    width: int
    height: int
    frame: int = 0
    frames: int = 1
    checked: bool = False
    order: OrderGroup | None = None
    called: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.width <= 0 or self.height <= 0:
            raise ValueError(f"a page of {self.width} × {self.height} px has no area")
        if not 0 <= self.frame < self.frames:
            raise ValueError(f"there is no page {self.frame + 1} among {self.frames}")

    @property
    def name(self) -> str:
        """File name without extension in Unicode's composed form, or what the collection calls it;
        pages of a file with several are numbered from 1.

        Examples
        --------
        >>> Page(Path("plans/one.png"), 10, 10).name
        'one'
        >>> Page(Path("scan.tif"), 10, 10, frame=1, frames=3).name
        'scan_p2'
        >>> Page(Path("a/scan.tif"), 10, 10, called="a/scan").name
        'a/scan'
        """
        name = self.called or composed(self.image.stem)
        return name if self.frames == 1 else f"{name}_p{self.frame + 1}"

    @property
    def area(self) -> int:
        """Area in px²."""
        return self.width * self.height


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
