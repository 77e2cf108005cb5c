"""Interface of truth formats: recognition, reading and writing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.files import is_file, is_folder
from spotlab.formats.page.images import size_contradiction
from spotlab.formats.rows.reading import Reading
from spotlab.model import Ignore, LabelSet, Primitive, Region, Truth
from spotlab.progress import Progress

ELEMENTS = ("words", "lines", "blocks")  # of a `Reading`


@dataclass(frozen=True)
class DatasetLayout:
    """Layout of a folder of images and truth, for formats that prescribe one.

    Attributes
    ----------
    image_folder : callable
        The folder for the images of a part ("train", …, or "" where the pages are not split), as a
        path from the folder of the whole.
    write : callable
        Writes the truth of all parts into a folder, which is there and may have the images already.
    image_place : callable or None
        The path of an image from that folder by the name of its page, where images have names that
        the format prescribes.
    """

    image_folder: Callable[[str], str]
    write: Callable[[Mapping[str, Sequence[Truth]], Path, Progress], None]
    image_place: Callable[[str], str] | None = None


class OutlineKinds(StrEnum):
    """OutlineKinds that a format has."""

    ANY = "any"
    BOXES = "boxes"  # along the axes
    TURNED_BOXES = "turned boxes"
    QUADRILATERALS = "quadrilaterals"  # others become turned boxes


class Rounding(StrEnum):
    """Rounding of coordinates to whole px, where a format has no fractions."""

    NONE = "none"
    NEAREST = "nearest"  # but for turned boxes, unless quadrilaterals are held that they become
    OUTWARDS = "outwards"  # of boxes


class Types(StrEnum):
    """Types of values that attributes may have; else they become text."""

    EACH = "each"  # every value its own, lists as well
    ALIKE = "alike"  # numbers, or yes or no, where all values of a label's attribute are such
    TEXT = "text"


@dataclass(frozen=True)
class Holds:
    """Properties that a format can hold; what it cannot is fitted to it, and named as lost.

    Attributes
    ----------
    outlines : OutlineKinds or callable
        Of all regions, or by region.
    rounding : Rounding
    pixels : bool
        OutlineKinds are areas of pixels, which are one where they touch or overlap.
    off_page : bool
        OutlineKinds may reach beyond the page; else they are cut at its edge.
    flat : bool
        OutlineKinds may enclose no area; else they are left out.
    repeated : bool
        OutlineKinds may have fewer than three different corners; else they are left out.
    lines : bool
        There are open lines and points; else they are left out.
    parts : bool
        OutlineKinds may have several parts; else these are joined by lines that run there and back.
    holes : str
        What becomes of outlines with holes: "holes" (opened by lines), "masks", or "" if they stay.
    kind : callable or None
        The kind of outline that a region is read as; None where its own is kept.
    replaced : callable or None
        The ``label`` and ``text`` that a region is read with in place of its own; either may be
        missing.
    spelling : callable or None
        How labels, texts and comments are read again; None where every character is kept.
    unlabelled : bool
        Regions may have no label; else they are left out, but for ignored areas of pixels.
    ignored : frozenset of Ignore
        Kinds of ignored regions; others are left out, an area becomes a symbol where there is only
        that.
    texts, comments, uncertain, histories, attributes : bool
        A region's own.
    types : Types
        Of values of attributes.
    reserved : tuple of str
        Names that attributes cannot have, or with "." at the end what they cannot begin with.
    empty : bool
        Pages may have no regions; else their files are not known again.
    checked, frames, order, tags : bool
        Of a page: that it is checked, which one of its image file it is, its reading order, and its
        tags.
    numbered : bool
        Labels are numbered by their order, which files that are joined may have in different ways.
    label_list, colours, digits : bool
        Labels in their order, used or not; their colours and digits.
    """

    outlines: OutlineKinds | Callable[[Region], OutlineKinds] = OutlineKinds.ANY
    rounding: Rounding = Rounding.NONE
    pixels: bool = False
    off_page: bool = True
    flat: bool = True
    repeated: bool = False
    lines: bool = False
    parts: bool = False
    holes: str = "holes"
    kind: Callable[[Region], Primitive] | None = None
    replaced: Callable[[Region], Mapping[str, str]] | None = None
    spelling: Callable[[str], str] | None = None
    unlabelled: bool = True
    ignored: frozenset[Ignore] = frozenset((Ignore.SYMBOL, Ignore.AREA))
    texts: bool = True
    comments: bool = True
    uncertain: bool = True
    histories: bool = True
    attributes: bool = True
    types: Types = Types.EACH
    reserved: tuple[str, ...] = ()
    empty: bool = True
    checked: bool = True
    frames: bool = True
    order: bool = True
    tags: bool = True
    numbered: bool = False
    label_list: bool = True
    colours: bool = True
    digits: bool = True


@dataclass(frozen=True)
class Format:
    """One truth file format, found through the registry.

    Attributes
    ----------
    name, title : str
        What commands and what people call it.
    suffixes : tuple of str
        File name endings in lower case, with the dot.
    sniff : callable
        Whether a file of this name, with these first 4,096 bytes, is of this format.
    read : callable
        The truth of every page in the file; `read_file` calls it. See `Reading` for what it has to
        do. Raises `BadInput` where nothing in the file can be used.
    write : callable or None
        Writes the pages to a path: one file for a format that holds many pages, else the files that
        `page_file` names. Raises `NotSaved`. None where the format is only read.
    many_pages : bool
        One file holds any number of pages.
    holds : Holds
        What it can hold of what is written; by default all.
    superseded : callable or None
        Of several files of the format, those that others there take the place of, each with the
        one that does: earlier versions of the same page's truth.
    contents : callable or None
        Truth files that reading a file reads, too, so that nobody reads them again.
    layout : DatasetLayout or None
        Pages are always written as a whole folder; ``write`` then writes pages that are not split.
    image_folder : str
        The folder beside the truth that images are copied to; empty for the truth's own.
    needs_images : bool
        The truth cannot be read where its images are not there.
    elements : tuple of str
        Of "words", "lines" and "blocks" those that the reader gives where they are asked for. Of
        other formats regions that have a text count as words; lines and blocks are refused.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Path, bytes], bool]
    read: Callable[[Path, Reading], Sequence[Truth]]
    write: Callable[[Sequence[Truth], Path, Progress], None] | None = None
    many_pages: bool = False
    holds: Holds = Holds()
    superseded: Callable[[Sequence[Path]], Mapping[Path, Path]] | None = None
    contents: Callable[[Path], Sequence[Path]] | None = None
    layout: DatasetLayout | None = None
    image_folder: str = ""
    needs_images: bool = False
    elements: tuple[str, ...] = ()
    annotators: Callable[[Path], Sequence[str]] | None = None

    def read_file(self, path: Path, reading: Reading | None = None) -> list[Truth]:
        """The truth of every page in a file, and findings on what it could not give.

        Raises
        ------
        BadInput
            It cannot be read, nothing in it can be used, or reading is strict and an item is bad.
        """
        reading = reading or Reading()
        inside = reading.apart()
        asked = [name for name in ELEMENTS if getattr(reading, name)]
        missing = [name for name in asked if name not in self.elements and name != "words"]
        if missing:
            raise BadInput(path, f"{self.title} has no {' and '.join(missing)}",
                           expected=self._expected_elements())  # fmt: skip
        if reading.annotator and self.annotators is None:
            raise BadInput(path, f"{self.title} does not name annotators", expected="no annotator")
        truths = list(self.read(path, inside))
        if "words" in asked and "words" not in self.elements:
            truths = self._words_of(truths, path, inside)
        error = inside.findings.first_error
        if error is not None and not any(truth.regions for truth in truths):
            raise error
        for finding in inside.findings:
            reading.findings.add(finding)
        return [_with_image(truth, path, reading) for truth in truths]

    def _words_of(self, truths: Sequence[Truth], path: Path, reading: Reading) -> list[Truth]:
        """The truth without regions that have no text, for which no format has another name."""
        count = sum(not region.text for truth in truths for region in truth.regions)
        if count and not any(region.text for truth in truths for region in truth.regions):
            raise BadInput(path, f"{self.title} has no words: no region has a text",
                           expected=self._expected_elements())  # fmt: skip
        if count:
            reading.remark(path, "region without a text, which is no word", count=count)
        return [
            replace(truth, regions=tuple(region for region in truth.regions if region.text))
            for truth in truths
        ]

    def _expected_elements(self) -> str:
        return f"a format that has them, or {' or '.join(self.elements) or 'regions'}"


def _with_image(truth: Truth, path: Path, reading: Reading) -> Truth:
    """The truth with an image that lies elsewhere in the collection; a missing one is reported."""
    image = truth.page.image
    if is_file(image):
        contradiction = size_contradiction(truth.page)
        if contradiction:
            size = f"{truth.page.width} × {truth.page.height} px"
            reading.remark(path, contradiction, f"{image.name}, {size} in the truth")
        return truth
    found = reading.image_called(image.name, path)
    if found is None:
        reading.pass_over(path, "image that is not there", image.name)
        return truth
    return replace(truth, page=replace(truth.page, image=found))


def page_file(target: Path, truth: Truth, suffix: str) -> Path:
    """Tell where a format of one page a file writes a page: the target itself, or a file in that
    folder.

    Examples
    --------
    >>> from spotlab.model import Page
    >>> truth = Truth(Page(Path("one.png"), 9, 9))
    >>> page_file(Path("out"), truth, ".xml").as_posix()
    'out/one.xml'
    >>> page_file(Path("a.xml"), truth, ".xml").name
    'a.xml'
    """
    if target.suffix.lower() == suffix and not is_folder(target):
        return target
    return target / f"{truth.page.name}{suffix}"


def distinct_names(names: Sequence[str], kinds: Sequence[str] = ()) -> list[str]:
    """Give every class a name of its own, so that none is merged with another.

    Parameters
    ----------
    names : sequence of str
        The classes in the order of their numbers; white space is collapsed.
    kinds : sequence of str
        Such as supercategories, as many: where names are equal, these tell them apart.

    Returns
    -------
    list of str
        As many. A class without a name is called by its number.

    Examples
    --------
    >>> distinct_names(["door", "sink", "door", ""])
    ['door', 'sink', 'door (2)', '3']
    >>> distinct_names(["door", "door"], ["room", "car"])
    ['door', 'door (car)']
    """
    plain = [" ".join(name.split()) or str(number) for number, name in enumerate(names)]
    taken: set[str] = set()
    given = set(plain)
    for number, name in enumerate(plain):
        own, count = name, 1
        if own in taken and number < len(kinds) and kinds[number].strip():
            own = f"{name} ({kinds[number].strip()})"
        while own in taken or (own != name and own in given):
            count += 1
            own = f"{name} ({count})"
        plain[number] = own
        taken.add(own)
    return plain


def label_set(names: Sequence[str]) -> LabelSet:
    """Return the labels of these names, with colours, and digits as far as there are.

    Examples
    --------
    >>> [(label.name, label.digit) for label in label_set(["zebra", "apple"])]
    [('zebra', '1'), ('apple', '2')]
    """
    return _label_set(tuple(names))


@lru_cache(maxsize=64)  # single files of one set ask for the same labels again and again
def _label_set(names: tuple[str, ...]) -> LabelSet:
    labels = LabelSet()
    for name in names:
        labels = labels.with_label(name)
    return labels
