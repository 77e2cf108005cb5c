"""Look through a page's truth the way a careful colleague would."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from spotlab.editing.operations.outline import CONVEX
from spotlab.editing.region_index import duplicates
from spotlab.errors import BadInput, counted
from spotlab.files import is_file, is_folder
from spotlab.formats.collection.folder import PageEntry, expand, scan
from spotlab.formats.collection.label_file import NAME as LABEL_FILE
from spotlab.formats.collection.label_file import read_labels
from spotlab.formats.collection.truth_files import TruthFile, image_finder, image_twice, list_truths
from spotlab.formats.page.images import ImageIndex
from spotlab.formats.page.read import doubled_ids
from spotlab.formats.page.reading_order import order_problems
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth import page_xml
from spotlab.geometry import polygon
from spotlab.imaging.reading.pixels import read_header
from spotlab.libraries import DamerauLevenshtein, shapely
from spotlab.model import LabelSet, Region, Truth
from spotlab.model.region import labels_of
from spotlab.progress import Progress, silent, track

SHORTEST = 4  # letters; shorter words with one letter changed are mostly other words
_DIGITS = re.compile(r"\d+")
_BETWEEN = re.compile(r"[\W_]+")


def similar_labels(counts: Mapping[str, int]) -> dict[str, str]:
    """For each label that may be misspelt the more frequent one that may be meant.

    Two labels are alike when they differ in case, spaces or punctuation only, or by one letter
    added, left out, changed or exchanged with its neighbour (one typo; from 4 letters on). Labels
    that differ in their numbers ("chair 1", "chair 2") are not. Of two equally frequent ones that
    differ by a typo none is held for wrong; by case, the later one in the alphabet.

    Parameters
    ----------
    counts : mapping of str to int
        How many regions carry each label.

    Examples
    --------
    >>> similar_labels({"sofa": 9, "Sofa": 1, "soffa": 1, "sink": 3, "chair1": 2, "chair2": 1})
    {'Sofa': 'sofa', 'soffa': 'sofa'}
    """
    spellings = {label: _plain(label) for label in counts}
    near = _neighbours(set(spellings.values()))
    by_spelling: dict[str, list[str]] = defaultdict(list)
    for label, spelling in spellings.items():
        by_spelling[spelling].append(label)
    found = {}
    for label, spelling in spellings.items():
        rank = _rank(label, counts)
        same = [other for other in by_spelling[spelling] if _rank(other, counts) > rank]
        typos = [
            other
            for word in near.get(spelling, ())
            for other in by_spelling[word]
            if counts[other] > counts[label]
        ]
        meant = same or typos
        if meant:
            found[label] = max(meant, key=lambda other: _rank(other, counts))
    return found


def _rank(label: str, counts: Mapping[str, int]) -> tuple[int, tuple[int, ...]]:
    return counts[label], tuple(-ord(letter) for letter in label)


def _plain(label: str) -> str:
    """Without case, spaces and punctuation; itself where nothing else is in it."""
    return _BETWEEN.sub("", label.casefold()) or label


def _neighbours(words: set[str]) -> dict[str, set[str]]:
    """The words one typo away from each, found by what both become with a letter left out."""
    sharing: dict[str, list[str]] = defaultdict(list)
    for word in words:
        if len(word) >= SHORTEST:
            for key in {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}:
                sharing[key].append(word)
    near: dict[str, set[str]] = defaultdict(set)
    for group in sharing.values():
        for word in group:
            for other in group:
                if other != word and _one_typo(word, other):
                    near[word].add(other)
    return near


def _one_typo(word: str, other: str) -> bool:
    if _DIGITS.findall(word) != _DIGITS.findall(other):
        return False
    return DamerauLevenshtein.distance(word, other, score_cutoff=1) <= 1


SMALLEST_AREA = 16.0  # px²; nothing that is drawn on a page is smaller than 4 × 4 px
SMALLEST_WIDTH = 3.0  # px; a pen's line is wider


class Severity(StrEnum):
    """Severity of a finding: the truth is wrong, or only looks so."""

    ERROR = "error"
    WARNING = "warning"


class FindingKind(StrEnum):
    """Kind of a finding."""

    IMAGE_MISSING = "image missing"
    SEVERAL = "several truths"
    IMAGE_SIZE = "image size"
    OUTSIDE = "outside the page"
    NO_AREA = "no area"
    CROSSING = "self-crossing"
    NOT_CONVEX = "not convex"
    DUPLICATE = "duplicate"
    TINY = "tiny"
    NOT_WHOLE = "not whole px"
    UNLABELED = "unlabeled"
    LABEL = "label"
    NOT_IN_SET = "not in the label set"
    ATTRIBUTE = "attribute"
    ORDER = "reading order"


@dataclass(frozen=True)
class TruthFinding:
    """One thing to look at.

    Attributes
    ----------
    severity : Severity
    region : str or None
        The region's id; None for the page as a whole.
    kind : FindingKind
    message : str
        One line that names the place.
    """

    severity: Severity
    region: str | None
    kind: FindingKind
    message: str


def validate(
    truth: Truth, image_size: tuple[int, int] | None, labels: LabelSet | None = None
) -> list[TruthFinding]:
    """All that a careful colleague would remark on, page first, then region by region.

    Errors: the image is missing or has another size; a region reaches beyond the page, has no area,
    crosses itself (rings that join holes by edges that run there and back do not), is a hull, box
    or ellipse but not convex, or covers an earlier one with the same label (the same outline, or
    intersection over union ≥ .95); an attribute does not fit the rule that the label set has for
    it, or is required and missing. Warnings: the same with another label; less than 16 px² or
    narrower than 3 px; coordinates between pixels; no label, unless the region is ignored; a label
    that differs from a more frequent one by case, spaces or a typo; a label that the collection's
    label set has not, which is an error where the set is locked.

    Parameters
    ----------
    truth : Truth
    image_size : (width, height) or None
        In px, as the image says it; None where there is no image.
    labels : LabelSet, optional
        Of the collection; without one, or an empty one, every label is in it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from spotlab.model import Page
    >>> bed = Region(((90, 90), (120, 90), (120, 99)), "bed", "r1")
    >>> for finding in validate(Truth(Page(Path("one.png"), 100, 100), (bed,)), (100, 100)):
    ...     print(finding.severity, finding.message, sep=": ")
    error: 'bed' at (105, 94) extends 20 px beyond the page's right edge
    """
    order = {region.id: place for place, region in enumerate(truth.regions)}
    found = [finding for region in truth.regions for finding in _of_region(region, truth)]
    found += _duplicates(truth)
    found += _labels(truth)
    found += _not_in_set(truth, labels)
    found += _attributes(truth, labels)
    found.sort(key=lambda finding: order[finding.region or ""])
    return [*_of_image(truth, image_size), *found]


def place_of(region: Region) -> str:
    """Name a region in a message: by its label and the centre of its bounds.

    Examples
    --------
    >>> place_of(Region(((0, 0), (40, 0), (40, 20)), "sofa"))
    "'sofa' at (20, 10)"
    """
    left, top, right, bottom = region.bounds
    label = f"'{region.label}'" if region.label else "a region without a label"
    return f"{label} at ({(left + right) // 2:.0f}, {(top + bottom) // 2:.0f})"


def _of_image(truth: Truth, image_size: tuple[int, int] | None) -> Iterator[TruthFinding]:
    page = truth.page
    if image_size is None:
        yield _error(None, FindingKind.IMAGE_MISSING, f"the image {page.image.name} is missing")
    elif image_size != (page.width, page.height):
        yield _error(
            None,
            FindingKind.IMAGE_SIZE,
            f"the image {page.image.name} is {image_size[0]} × {image_size[1]} px, but the truth "
            f"is for {page.width} × {page.height} px",
        )


def _of_region(region: Region, truth: Truth) -> Iterator[TruthFinding]:
    place = place_of(region)
    yield from _outside(region, truth)
    if (region.array != region.array.round()).any():
        yield _warning(
            region, FindingKind.NOT_WHOLE, f"{place} has coordinates that are not whole pixels"
        )
    if not region.primitive.has_area:
        return
    if region.area == 0:
        yield _error(region, FindingKind.NO_AREA, f"{place} encloses no area")
    elif not polygon.winds_once(region.array):
        yield _error(region, FindingKind.CROSSING, f"{place} crosses itself{_crossing(region)}")
    elif region.primitive in CONVEX and not polygon.is_convex(region.array):
        hull = polygon.area(polygon.convex_hull(region.array))
        yield _error(
            region,
            FindingKind.NOT_CONVEX,
            f"{place} is marked {region.primitive} but not convex: its hull is "
            f"{hull - region.area:g} px² larger",
        )
    if region.area > 0:
        yield from _tiny(region)
    if not region.label and not region.ignored:
        yield _warning(region, FindingKind.UNLABELED, f"{place} needs a label")


def _outside(region: Region, truth: Truth) -> Iterator[TruthFinding]:
    left, top, right, bottom = region.bounds
    beyond = {
        "left": -left,
        "top": -top,
        "right": right - truth.page.width,
        "bottom": bottom - truth.page.height,
    }
    edges = [f"{by:g} px beyond the page's {edge} edge" for edge, by in beyond.items() if by > 0]
    if edges:
        yield _error(
            region, FindingKind.OUTSIDE, f"{place_of(region)} extends {' and '.join(edges)}"
        )


def _tiny(region: Region) -> Iterator[TruthFinding]:
    if region.area < SMALLEST_AREA:
        yield _warning(
            region, FindingKind.TINY, f"{place_of(region)} has an area of only {region.area:g} px²"
        )
        return
    left, top, right, bottom = region.bounds
    if region.area >= SMALLEST_WIDTH * (right - left + bottom - top):
        return  # wide enough: no strip that is narrower holds so much
    width = polygon.min_width(region.array)
    if width < SMALLEST_WIDTH:
        yield _warning(region, FindingKind.TINY, f"{place_of(region)} is only {width:.2g} px wide")


def _crossing(region: Region) -> str:
    """Say where an outline crosses itself, if GEOS can tell."""
    reason = shapely.is_valid_reason(shapely.Polygon(region.array))
    match = re.search(r"\[(\S+) (\S+)\]", reason)
    return f" near ({float(match[1]):.0f}, {float(match[2]):.0f})" if match else ""


def _duplicates(truth: Truth) -> Iterator[TruthFinding]:
    for found in duplicates(truth.regions):
        same = (
            "has the same outline as"
            if found.iou == 1
            else f"shares {found.iou:.1%} of the area with"
        )
        message = f"{place_of(found.region)} {same} {place_of(found.earlier)}"
        if found.region.label == found.earlier.label:
            yield _error(found.region, FindingKind.DUPLICATE, message)
        else:
            yield _warning(found.region, FindingKind.DUPLICATE, message)


def _labels(truth: Truth) -> Iterator[TruthFinding]:
    counts = labels_of(truth.regions)
    similar = similar_labels(counts)
    for region in truth.regions:
        meant = similar.get(region.label)
        if meant:
            message = (
                f"{place_of(region)} may be a misspelling of '{meant}' "
                f"({counted(counts[meant], 'region')})"
            )
            yield _warning(region, FindingKind.LABEL, message)


def _not_in_set(truth: Truth, labels: LabelSet | None) -> Iterator[TruthFinding]:
    """One finding for each label, at its first region."""
    if not labels:
        return
    counts = labels_of(truth.regions)
    unknown = {label for label in counts if label and label not in labels}
    severity = Severity.ERROR if labels.locked else Severity.WARNING
    kind = "locked label set" if labels.locked else "label set"
    for region in truth.regions:
        if region.label in unknown:
            unknown.discard(region.label)
            count = counts[region.label]
            more = f" ({count} regions on the page)" if count > 1 else ""
            message = f"{place_of(region)} has a label that is not in the {kind}{more}"
            yield TruthFinding(severity, region.id, FindingKind.NOT_IN_SET, message)


def _attributes(truth: Truth, labels: LabelSet | None) -> Iterator[TruthFinding]:
    """One finding for each value that does not fit its rule, and for each that is missing."""
    if labels is None:
        return
    specs = {name: labels.specs(name) for name in {region.label for region in truth.regions}}
    for region in truth.regions:
        given = dict(region.attributes) if specs[region.label] else {}
        for spec in specs[region.label]:
            problem = "is missing" if spec.required and spec.name not in given else ""
            if spec.name in given:
                problem = spec.problem(given[spec.name])
            if problem:
                message = f"{place_of(region)}: attribute {spec.name!r}: {problem}"
                yield _error(region, FindingKind.ATTRIBUTE, message)


def _error(region: Region | None, kind: FindingKind, message: str) -> TruthFinding:
    return TruthFinding(Severity.ERROR, region.id if region else None, kind, message)


def _warning(region: Region, kind: FindingKind, message: str) -> TruthFinding:
    return TruthFinding(Severity.WARNING, region.id, kind, message)


@dataclass(frozen=True)
class ValidatedPage:
    """The findings of one page.

    Attributes
    ----------
    entry : PageEntry
    regions : int or None
        How many the truth has; None where it could not be read.
    unreadable : tuple of str
        What is wrong with the truth file or the image, one line each.
    findings : tuple of TruthFinding
    """

    entry: PageEntry
    regions: int | None
    unreadable: tuple[str, ...] = ()
    findings: tuple[TruthFinding, ...] = ()

    @property
    def errors(self) -> int:
        """Number of errors."""
        return len(self.unreadable) + self._count(Severity.ERROR)

    @property
    def warnings(self) -> int:
        """Number of warnings."""
        return self._count(Severity.WARNING)

    def _count(self, severity: Severity) -> int:
        return sum(finding.severity is severity for finding in self.findings)


def validate_files(
    paths: Sequence[Path],
    progress: Progress = silent,
    *,
    labels: LabelSet | None = None,
    reading: Reading | None = None,
) -> list[ValidatedPage]:
    """Look at every page that has a truth file.

    Parameters
    ----------
    paths : sequence of Path
        As for `spotlab.formats.collection.folder.scan`, and truth files of any other format. Of a
        folder without any PAGE file those of other formats are looked at.
    progress : Progress
    labels : LabelSet, optional
        The collection's label set. By default that of the label file in each folder, or beside
        each file.
    reading : Reading, optional
        Takes the findings on files of other formats than PAGE.

    Raises
    ------
    BadInput
        A path is not there or is no page, or reading is strict and something cannot be read. A
        damaged file in a folder is a result like any other.
    """
    found: list[ValidatedPage] = []
    sets: dict[Path, LabelSet] = {}
    indexes: dict[Path, ImageIndex] = {}
    reading = reading or Reading()
    for path in paths:
        known = labels
        if known is None:
            folder = path if is_folder(path) else path.parent
            if folder not in sets:
                sets[folder] = _labels_of(folder, found)
            known = sets[folder]
        listing = list_truths([path], replace(reading, progress=progress))
        files = listing.files
        if not files and listing.skipped:
            reading.remark(path, f"folder without truth{listing.skipped}")
        for file in track(files, progress, "checking truth"):
            inside = image_finder(file, reading, indexes)
            if file.format == page_xml.FORMAT.name:
                for entry in scan([file.path]) if file.entry is None else [file.entry]:
                    found += _of_file(_with_image(entry, inside), known, inside)
            else:
                found += _of_foreign(file, known, inside)
    pages = {(e.entry.image, e.entry.frame, e.entry.truth_path): e for e in found}
    found = list(pages.values())
    return _with_rivals(found)


def _with_rivals(pages: list[ValidatedPage]) -> list[ValidatedPage]:
    """The pages with a warning where another file is truth of the same image, too."""
    files: dict[tuple[Path, int], list[Path]] = defaultdict(list)
    for page in pages:
        entry = page.entry
        files[entry.image, entry.frame] += [entry.truth_path, *entry.others]
    return [
        replace(page, findings=(*page.findings, *(
            TruthFinding(Severity.WARNING, None, FindingKind.SEVERAL,
                         f"the image has truth in {other}, too")
            for other in files[page.entry.image, page.entry.frame]
            if other != page.entry.truth_path
        )))
        for page in pages
    ]  # fmt: skip


def _labels_of(folder: Path, found: list[ValidatedPage]) -> LabelSet:
    """The label set of a folder; a damaged one joins what was found."""
    try:
        return read_labels(folder)
    except BadInput as error:
        path = folder / LABEL_FILE
        entry = PageEntry(path, 0, 1, path, True, missing=True)
        found.append(ValidatedPage(entry, None, (str(error),)))
        return LabelSet()


def _of_foreign(file: TruthFile, labels: LabelSet, reading: Reading) -> Iterator[ValidatedPage]:
    """Every page of a truth file that is not PAGE."""
    path = file.path
    try:
        truths = file.read(reading)
    except BadInput as error:
        if reading.strict:
            raise
        entry = PageEntry(path, 0, 1, path, True, missing=True)
        yield ValidatedPage(entry, None, (str(error),))
        return
    known: set[tuple[Path, int]] = set()
    for truth in truths:
        page = truth.page
        if (page.image, page.frame) in known:
            reading.leave_out(image_twice(path, page))
            continue
        known.add((page.image, page.frame))
        missing = not is_file(page.image)
        entry = PageEntry(page.image, page.frame, page.frames, path, True, missing)
        yield _validated(entry, truth, "", labels)


def _with_image(entry: PageEntry, reading: Reading) -> PageEntry:
    """The entry with an image that lies elsewhere in the collection; several are reported."""
    if not entry.missing:
        return entry
    image = reading.image_called(entry.image.name, entry.truth_path)
    return entry if image is None else replace(entry, image=image, missing=False)


def _of_file(entry: PageEntry, labels: LabelSet, reading: Reading) -> Iterator[ValidatedPage]:
    try:
        pages = expand(entry)
    except BadInput as error:
        if entry.has_truth:
            yield _look(entry, labels, reading, str(error))
        return
    for page in pages:
        if page.has_truth:
            yield _look(page, labels, reading, "")


def _look(entry: PageEntry, labels: LabelSet, reading: Reading, unreadable: str) -> ValidatedPage:
    path = entry.truth_path
    try:
        truth = page_xml.parse(read_bytes(path), path, reading=reading)
    except BadInput as error:
        if reading.strict:
            raise
        problems = [unreadable] if unreadable else _size(entry)[1]
        return ValidatedPage(entry, None, (*problems, str(error)))
    if not entry.missing:
        truth = replace(truth, page=replace(truth.page, image=entry.image))
    doubled = [
        str(BadInput(path, f"the id of {node.name} is another element's", place=node.place))
        for node in doubled_ids(truth.source, path)
    ]
    validated = _validated(entry, truth, unreadable, labels)
    wrong = (_error(None, FindingKind.ORDER, problem)
             for problem in order_problems(truth.source, path))  # fmt: skip
    findings = (*validated.findings, *wrong)
    return replace(validated, unreadable=(*validated.unreadable, *doubled), findings=findings)


def _size(entry: PageEntry) -> tuple[tuple[int, int] | None, list[str]]:
    """The image's size, if it has one, and what is wrong with it."""
    try:
        if not entry.missing:
            header = read_header(entry.image, entry.frame)
            return (header.width, header.height), []
    except BadInput as error:
        return None, [str(error)]
    return None, []


def _validated(entry: PageEntry, truth: Truth, unreadable: str, labels: LabelSet) -> ValidatedPage:
    size, problems = (None, [unreadable]) if unreadable else _size(entry)
    if problems:  # the image is there: that it has no size is said already
        size = truth.page.width, truth.page.height
    findings = validate(truth, size, labels)
    return ValidatedPage(entry, len(truth.regions), tuple(problems), tuple(findings))
