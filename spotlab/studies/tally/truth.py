"""Truth that runs are judged by: read from files or left there, and found by the names in runs.

Pages of `FiledTruths` stay in their files: a page is read when it is asked for, and never held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from spotlab.arrays import Floats
from spotlab.editing.unfinished import unfinished_remarks
from spotlab.errors import BadInput, counted
from spotlab.formats.collection.page_names import PageNames, with_names_apart
from spotlab.formats.collection.truth_files import (
    FiledTruth,
    TruthFile,
    TruthListing,
    image_finder,
    list_truths,
    one_truth_each,
    other_images,
)
from spotlab.formats.page.foreign_shapes import is_box
from spotlab.formats.page.images import ImageIndex
from spotlab.formats.rows.numbers import natural
from spotlab.formats.rows.reading import Consequence, Finding, Findings, Reading
from spotlab.formats.runs.coco_results import read_naming
from spotlab.formats.runs.format import ColumnChoice, Naming, ReadRun
from spotlab.geometry.rings import box_ious
from spotlab.model import LabelSet, Page, Truth
from spotlab.model.run import Run
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.studies.tally.outlines import some

Change = Callable[[Truth], Truth]
Categories = tuple[tuple[int | str, str], ...]


@dataclass(frozen=True)
class FiledPage:
    """A page whose truth stays in its file.

    Attributes
    ----------
    page : Page
    labels : tuple of str
        Of its regions, each once.
    file : TruthFile
    place : int
        Which of the file's pages it is.
    regions, boxes : int
        Number of its regions, and of those that are boxes along the axes.
    categories : tuple of (int or str, str)
        The numbers that labels of the file have, with the labels.
    texts : tuple of str
        Of its regions, each once.
    """

    page: Page
    labels: tuple[str, ...]
    file: TruthFile
    place: int
    regions: int = 0
    boxes: int = 0
    categories: Categories = ()
    texts: tuple[str, ...] = ()

    def read(self, words: bool, changes: Collection[Change]) -> Truth:
        """The truth of the page.

        Parameters
        ----------
        words : bool
            Take the words that have a text.
        changes : collection of callable
            What becomes of the truth, one after the other.

        Raises
        ------
        BadInput
            The file cannot be read, or has no such page any more.
        """
        reading = Reading(words=words, texts_only=True)
        truth = self.file.read(reading)[self.place]
        page = replace(truth.page, called=self.page.called)
        return with_changes(replace(truth, page=page), changes)


@dataclass(frozen=True, eq=False)
class FiledTruths(Mapping[str, Truth]):
    """The truth of pages by name; each is read from its file whenever it is asked for.

    Attributes
    ----------
    files : mapping of str to FiledPage
    words : bool
        Whether the words of PAGE files are the regions.
    changes : tuple of callable
        What becomes of each truth that is read.
    """

    files: Mapping[str, FiledPage]
    words: bool = False
    changes: tuple[Change, ...] = ()

    __repr__ = short_repr

    def __getitem__(self, name: str) -> Truth:
        return self.files[name].read(self.words, self.changes)

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __contains__(self, name: object) -> bool:
        return name in self.files


def with_changes(truth: Truth, changes: Collection[Change]) -> Truth:
    """Apply one change after the other to a truth.

    Parameters
    ----------
    truth : Truth
    changes : collection of callable
    """
    return reduce(lambda changed, change: change(changed), changes, truth)


def changed_truths(truths: Mapping[str, Truth], change: Change) -> Mapping[str, Truth]:
    """The truth of all pages with a change.

    Parameters
    ----------
    truths : mapping of str to Truth
    change : callable
        Of a module, so that other processes know it.
    """
    if isinstance(truths, FiledTruths):
        return replace(truths, changes=(*truths.changes, change))
    return {name: change(truth) for name, truth in truths.items()}


def chosen_truths(
    truths: Mapping[str, Truth], chosen: Callable[[str], bool]
) -> Mapping[str, Truth]:
    """The truth of some pages.

    Parameters
    ----------
    truths : mapping of str to Truth
    chosen : callable
        Whether the page of a name is wanted.
    """
    if isinstance(truths, FiledTruths):
        return replace(truths, files={name: truths.files[name] for name in truths if chosen(name)})
    return {name: truth for name, truth in truths.items() if chosen(name)}


def joined_truths(first: Mapping[str, Truth], second: Mapping[str, Truth]) -> Mapping[str, Truth]:
    """The truth of the pages of both, which have no page in common.

    Parameters
    ----------
    first, second : mapping of str to Truth
        Of one collection.
    """
    if isinstance(first, FiledTruths) and isinstance(second, FiledTruths):
        return replace(first, files={**first.files, **second.files})
    return {**first, **second} if second else first


def pages_of_truths(truths: Mapping[str, Truth]) -> dict[str, Page]:
    """The pages by name; no file is read.

    Parameters
    ----------
    truths : mapping of str to Truth

    Examples
    --------
    >>> pages_of_truths({"plan": Truth(Page(Path("plan.png"), 20, 10))})["plan"].area
    200
    """
    if isinstance(truths, FiledTruths):
        return {name: each.page for name, each in truths.files.items()}
    return {name: truth.page for name, truth in truths.items()}


def labels_of_truths(truths: Mapping[str, Truth]) -> set[str]:
    """All labels of regions, "" among them where some have none; no file is read.

    Parameters
    ----------
    truths : mapping of str to Truth
    """
    if isinstance(truths, FiledTruths):
        return {label for each in truths.files.values() for label in each.labels}
    return {region.label for truth in truths.values() for region in truth.regions}


def boxes_of_truths(truths: Mapping[str, Truth]) -> tuple[int, int]:
    """Number of regions, and of those that are boxes along the axes; no file is read.

    Parameters
    ----------
    truths : mapping of str to Truth
    """
    if isinstance(truths, FiledTruths):
        files = truths.files.values()
        return sum(each.regions for each in files), sum(each.boxes for each in files)
    every = (region for truth in truths.values() for region in truth.regions)
    regions = [region for region in every if region.primitive.has_area]
    return len(regions), sum(is_box(region.points) for region in regions)


Held = TypeVar("Held")


class TruthPages(Generic[Held]):
    """Pages with what is held of each.

    Examples
    --------
    >>> found: TruthPages[int] = TruthPages()
    >>> for name in ("page_10", "page_9"):
    ...     found.add(name, 1, Path("truth.json"))
    >>> found.in_order()
    {'page_9': 1, 'page_10': 1}
    """

    def __init__(self) -> None:
        self._pages: dict[str, Held] = {}
        self._origins: dict[str, Path] = {}

    @property
    def origins(self) -> list[Path]:
        """The file of each page."""
        return list(self._origins.values())

    def add(self, name: str, page: Held, path: Path) -> None:
        """Take a page.

        Parameters
        ----------
        name : str
        page : object
            What is known of it.
        path : Path
            Its truth file.

        Raises
        ------
        BadInput
            There is a page of this name.
        """
        if name in self._pages:
            problem = f"the page {name!r} already has truth in {self._origins[name]}"
            raise BadInput(path, problem, expected="one truth for every page name")
        self._pages[name], self._origins[name] = page, path

    def in_order(self) -> dict[str, Held]:
        """All pages with what is held of them, in natural order of their names."""
        return {name: self._pages[name] for name in sorted(self._pages, key=natural)}


class TruthIds(NamedTuple):
    """Meanings of the ids that COCO files gave, and remarks on those with several, left out."""

    images: Mapping[int | str, str]
    categories: Mapping[int | str, str]
    unclear: Sequence[str]


def ids_of_truths(truths: Mapping[str, Truth], labels: LabelSet) -> TruthIds:
    """The ids of pages and labels that came from COCO files; no file is read.

    Parameters
    ----------
    truths : mapping of str to Truth
    labels : LabelSet
        The collection's label list, which knows labels that were renamed since.

    Examples
    --------
    >>> truth = Truth(Page(Path("plan.png"), 20, 10, image_id=71))
    >>> ids_of_truths({"plan": truth}, LabelSet()).images
    {71: 'plan'}
    """
    images: dict[int | str, set[str]] = {}
    for name, page in pages_of_truths(truths).items():
        if page.image_id is not None:
            images.setdefault(page.image_id, set()).add(name)
    categories: dict[int | str, set[str]] = {}
    if isinstance(truths, FiledTruths):
        known = {each.categories for each in truths.files.values()}
    else:
        known = {categories_of(truth.labels) for truth in truths.values()}
    for number, label in chain.from_iterable(known):
        categories.setdefault(number, set()).add(label)
    for number, label in categories_of(labels):
        still = {name for name in categories.get(number, ()) if name in labels}
        categories[number] = {*still, label}
    unclear = (_unclear("image_id", images), _unclear("category_id", categories))
    return TruthIds(_single(images), _single(categories), [*filter(None, unclear)])


def categories_of(labels: LabelSet) -> Categories:
    """The numbers that labels have from a file, with the labels.

    Parameters
    ----------
    labels : LabelSet
    """
    return tuple((label.number, label.name) for label in labels if label.number is not None)


def _single(ids: Mapping[int | str, set[str]]) -> dict[int | str, str]:
    return {id: next(iter(values)) for id, values in ids.items() if len(values) == 1}


def _unclear(what: str, ids: Mapping[int | str, set[str]]) -> str:
    """A line on the ids that have several meanings; empty where none has."""
    several = {id: sorted(values) for id, values in ids.items() if len(values) > 1}
    if not several:
        return ""
    id, meanings = next(iter(several.items()))
    more = f", and {counted(len(several) - 1, 'other id')} too" if len(several) > 1 else ""
    return f"{what} {id!r} means different things in the truth files: {some(meanings)}{more}"


OUTSIDE = "the page is outside the subset"


@dataclass(frozen=True)
class TruthSet:
    """The truth of all pages of a collection.

    Attributes
    ----------
    truths : dict of str to Truth
        By page name, in natural order.
    without_truth : tuple of str
        Names of pages that have an image but no truth file.
    image_ids, categories : dict
        Of COCO files, and of PAGE files that were made of such: the page name of each image id, the
        label of each category id. An id that two files give to different things is left out.
    remarks : tuple of str
        What a person should know about the files.
    labels : tuple of str
        In the order of the collection's label list; empty where there is none, or more than one.
    outside : dict of str to Truth
        The truth of pages that are left out on purpose; nothing is evaluated on them.
    findings : tuple of Finding
        What could not be read, or not as it stands; ``remarks`` has them as lines, too.
    spelling : callable or None
        How labels are spelled that texts have become; queries of runs are spelled alike before they
        are compared with them.
    placed : callable or None
        What becomes of runs then, where regions are words whose places in lines are estimated.
    """

    truths: Mapping[str, Truth]
    without_truth: tuple[str, ...] = ()
    image_ids: Mapping[Any, str] = field(default_factory=dict)
    categories: Mapping[Any, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    outside: Mapping[str, Truth] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    spelling: Callable[[str], str] | None = None
    placed: Callable[[ReadRun], ReadRun] | None = None

    __repr__ = short_repr

    @property
    def all_pages(self) -> dict[str, Page]:
        """All pages by name, those outside the subset included; no file is read."""
        return {**pages_of_truths(self.truths), **pages_of_truths(self.outside)}

    def only(self, names: Collection[str]) -> TruthSet:
        """The same truth, of which only the pages of these names are evaluated.

        Parameters
        ----------
        names : collection of str

        Examples
        --------
        >>> from spotlab.model import Page
        >>> pages = {name: Truth(Page(Path(f"{name}.png"), 9, 9)) for name in ("a", "b")}
        >>> part = TruthSet(pages).only(["b"])
        >>> list(part.truths), list(part.outside)
        (['b'], ['a'])
        """
        every = joined_truths(self.truths, self.outside)
        inside = chosen_truths(every, lambda name: name in names)
        outside = chosen_truths(every, lambda name: name not in names)
        return replace(self, truths=inside, outside=outside)


def read_truths(
    paths: Iterable[Path | str],
    *,
    words: bool = False,
    lines: bool = False,
    file_group: str = "",
    annotator: str = "",
    strict: bool = False,
    progress: Progress = silent,
) -> TruthSet:
    """The truth in folders and files.

    An item that cannot be read, such as a file in a folder or a region in a file, is left out and
    is one of the findings.

    Parameters
    ----------
    paths : iterable of Path
        Folders (PAGE files beside their images, in all folders in them; without any, truth files of
        other formats), images, and truth files of any format.
    words : bool
        Of PAGE files, take the words that have a text as regions, labelled "word", instead of the
        regions.
    lines : bool
        Take the lines that have a text, too, labelled "line".
    file_group : str
        Of METS files, the file group to read; by default the one with the ground truth.
    annotator : str
        Of files with the work of several annotators, the one whose work to read.
    strict : bool
        Raise the error of the first item that cannot be read.
    progress : Progress
        Told of each file.

    Raises
    ------
    BadInput
        A path cannot be read, two truths are about pages of one name, or there is none.
    """
    reading = Reading(
        progress, words=words, lines=lines, texts_only=True, file_group=file_group,
        annotator=annotator, strict=strict,
    )  # fmt: skip
    given = [Path(path) for path in paths]
    listing = list_truths(given, reading)
    indexes: dict[Path, ImageIndex] = {}
    alone = len(listing.files) == 1
    each = reading if alone else reading.quiet()
    read: list[FiledTruth] = []
    for file in track(listing.files, silent if alone else progress, "reading truth"):
        try:
            truths = file.read(image_finder(file, each, indexes))
        except BadInput as error:
            if file.root is None:
                raise
            reading.leave_out(error)
            continue
        read += [FiledTruth(file, truth) for truth in truths]
    read = one_truth_each(read, reading)
    without = other_images(listing, [each.page for each in read])
    listing = replace(listing, without=tuple(without))
    others = [each.image for each in without]
    named = with_names_apart([each.truth for each in read], others)
    found: TruthPages[Truth] = TruthPages()
    for (file, _), truth in zip(read, named, strict=True):
        found.add(truth.page.name, truth, file.path)
    return truth_set_of(given, listing, found, found.in_order(), reading.findings)


def truth_set_of(
    paths: Sequence[Path],
    listing: TruthListing,
    found: TruthPages[Any],
    truths: Mapping[str, Truth],
    findings: Findings,
) -> TruthSet:
    """The truth in files, with all that is known of these.

    Parameters
    ----------
    paths : sequence of Path
        What was asked for.
    listing : TruthListing
        The files there.
    found : TruthPages
        Their pages.
    truths : mapping of str to Truth
        By page name, in natural order.
    findings : Findings
        On all files.

    Raises
    ------
    BadInput
        There is none.
    """
    if not truths:
        if findings.first_error is not None:
            raise findings.first_error
        problem = f"it has no truth{listing.skipped}"
        expected = "PAGE XML beside its image, or a truth file of another format by its name"
        if paths and any(paths[0].glob("*.parquet")):
            expected += "; parts of a collection are for 'spotlab parts evaluate'"
        raise BadInput(paths[0] if paths else Path("truth"), problem, expected=expected)
    told = findings.of((Consequence.LEFT_OUT, Consequence.REMARK))
    ids = ids_of_truths(truths, listing.labels)
    return TruthSet(
        truths,
        tuple(sorted({each.name for each in listing.without} - truths.keys(), key=natural)),
        ids.images,
        ids.categories,
        (*listing.remarks, *map(str, told), *unfinished_remarks(found.origins), *ids.unclear),
        tuple(label.name for label in listing.labels),
        findings=told,
    )


def match_pages(run_pages: Iterable[str], truth_set: TruthSet) -> dict[str, str | None]:
    """For each page as a run names it, the page of the truth that it means.

    A run may say the page's name, its image's file name, or either with another ending or with
    folders before it; see `spotlab.formats.collection.page_names.PageNames`.

    Parameters
    ----------
    run_pages : iterable of str
    truth_set : TruthSet

    Returns
    -------
    dict of str to str or None
        None where there is no such page, or more than one, or it is outside the subset, or another
        name of the run is the page's by its folders; `explain_unmatched` says which.

    Examples
    --------
    >>> from spotlab.model import Page
    >>> truth_set = TruthSet({"plan": Truth(Page(Path("a/plan.png"), 9, 9))})
    >>> match_pages(["plan", "plan.png", "scans/plan.tif", "other"], truth_set)
    {'plan': 'plan', 'plan.png': 'plan', 'scans/plan.tif': 'plan', 'other': None}
    >>> match_pages(["a/plan", "b/plan"], truth_set)
    {'a/plan': 'plan', 'b/plan': None}
    """
    found = _names_of(truth_set).matched(run_pages)
    return {page: name if name in truth_set.truths else None for page, name in found.items()}


def explain_unmatched(run_page: str, truth_set: TruthSet) -> str:
    """Explain to a person why `match_pages` finds no page for a name.

    Examples
    --------
    >>> explain_unmatched("plan.png", TruthSet({}, without_truth=("plan",)))
    'the page has no truth file'
    """
    meant = _names_of(truth_set).meant(run_page)
    if not meant:
        return "there is no such page in the truth"
    if len(meant) > 1:
        return "the name may mean " + " or ".join(meant)
    if meant[0] in truth_set.truths:
        return "the page of this name is in another folder"
    return OUTSIDE if meant[0] in truth_set.outside else "the page has no truth file"


def _names_of(truth_set: TruthSet) -> PageNames:
    images: dict[str, Path | None] = dict.fromkeys(truth_set.without_truth)
    images.update((name, page.image) for name, page in truth_set.all_pages.items())
    return PageNames(images)


def naming_for(
    truth_set: TruthSet, annotations: Path | None = None, columns: ColumnChoice | None = None
) -> Naming:
    """Meanings of ids: by an annotation file if one is given, else by what the truth knows.

    Parameters
    ----------
    truth_set : TruthSet
        Its own ids, where it is or was COCO; its pages' names and its labels' order otherwise.
    annotations : Path, optional
        COCO whose images and categories have the ids that runs use, or a list of classes.
    columns : ColumnChoice, optional
        A person's words on the columns of tables.

    Raises
    ------
    BadInput
        The annotation file cannot be read or names nothing.
    """
    pages = (*truth_set.truths, *truth_set.without_truth)
    known = _names_of(truth_set)
    sizes = {name: (page.width, page.height) for name, page in truth_set.all_pages.items()}

    def size_of(page: str) -> tuple[int, int] | None:
        meant = known.meant(page)
        return sizes.get(meant[0]) if len(meant) == 1 else None

    given = Naming() if annotations is None else read_naming(annotations)
    return Naming(
        given.image_ids or truth_set.image_ids,
        given.categories or truth_set.categories,
        pages,
        truth_set.labels or _labels_in_order(truth_set.truths),
        size_of,
        columns,
    )


def _labels_in_order(truths: Mapping[str, Truth]) -> tuple[str, ...]:
    """The labels of regions in the order in which they first come; none where files are read."""
    if isinstance(truths, FiledTruths):
        return ()
    labels = (region.label for truth in truths.values() for region in truth.regions)
    return tuple(dict.fromkeys(filter(None, labels)))


def misfit(run: Run, truth_set: TruthSet) -> tuple[str, str] | None:
    """Explain why nothing of a run can be judged by this truth; None if something can.

    That is so where none of its pages is known, or none of its queries is a label. A run without
    spots fits every truth, and truth without a labelled region says nothing about queries.
    """
    if not len(run):
        return None
    if not any(match_pages(run.pages, truth_set).values()):
        there = f"none of its pages ({len(run.pages):,}) has truth here: {some(run.pages)}"
        return there, f"pages such as {some(truth_set.truths)}"
    labels = labels_of_truths(truth_set.truths)
    known = sorted(labels - {""})
    if known and labels.isdisjoint(run.queries):
        number = len(run.queries)
        there = f"none of its queries ({number:,}) is a label of the truth: {some(run.queries)}"
        return there, f"queries such as {some(known)}"
    return None


def check_fit(run: Run, truth_set: TruthSet, alternatives: Sequence[TruthSet] = ()) -> None:
    """See that something of a run can be judged by this truth, or by an alternative one.

    Raises
    ------
    BadInput
        See `misfit`.
    """
    found = misfit(run, truth_set)
    if found is not None and all(misfit(run, other) is not None for other in alternatives):
        problem, expected = found
        if is_coco(run) or all(query.isdecimal() for query in run.queries):
            expected += ", or the file that names the ids, given by --naming"
        raise BadInput(run.source or Path(run.name), problem, expected=expected)


def is_coco(run: Run) -> bool:
    """True if it comes from a file whose ids another file may have to name."""
    return run.source is not None and run.source.suffix.lower() == ".json"


_IOU = 0.5
_MOST_PAGES = 60  # that are looked at
_MOST_SPOTS = 2000
_MOST_PAIRS = 4_000_000
_NAMED = "the COCO annotation file, data.yaml or list of names that the numbers are of, as naming"


def check_guesses(read: ReadRun, truth_set: TruthSet) -> None:
    """See that the truth does not contradict what numbers of pages and labels were taken for.

    Raises
    ------
    BadInput
        Most spots that lie on a region of the truth lie on one of another label than was guessed,
        or fit another page better than the one that was guessed.
    """
    run = read.run
    if not read.guessed or not len(run):
        return
    source = run.source or Path(run.name)
    pages = [page for page in match_pages(run.pages, truth_set).items() if page[1] is not None]
    truths = {name: truth_set.truths[name] for _, name in pages[:_MOST_PAGES] if name is not None}
    of_run = {name: run.pages.index(page) for page, name in pages[:_MOST_PAGES] if name is not None}
    boxes = {name: _boxes(truth) for name, truth in truths.items()}
    spots = {
        name: np.flatnonzero(run.page == number)[:_MOST_SPOTS] for name, number in of_run.items()
    }
    corners = {
        name: np.array([_box(run.outlines[spot]) for spot in listed.tolist()]).reshape(-1, 4)
        for name, listed in spots.items()
    }
    if "pages" in read.guessed:
        _check_pages(corners, boxes, source)
    if "labels" not in read.guessed:
        return
    said: Counter[tuple[str, str]] = Counter()
    for name, listed in spots.items():
        labels = [region.label for region in truths[name].regions]
        overlap = box_ious(corners[name], boxes[name])
        for spot, row in zip(listed.tolist(), overlap, strict=True):
            if len(row) and row.max() >= _IOU:
                said[run.queries[run.query[spot]], labels[int(row.argmax())]] += 1
    right = sum(count for (query, label), count in said.items() if query == label)
    wrong = [(count, pair) for pair, count in said.items() if pair[0] != pair[1]]
    if wrong and 2 * right < sum(said.values()):
        count, (query, label) = max(wrong)
        problem = (
            f"its numbers of classes are taken for positions in the label list, which the truth "
            f"contradicts: {count:,} spots taken for {query!r} lie on {label!r}"
        )
        raise BadInput(source, problem, expected=_NAMED)


def _check_pages(corners: Mapping[str, Floats], boxes: Mapping[str, Floats], source: Path) -> None:
    """See that spots fit the page that was guessed about as well as any other one."""
    own = best = 0
    example = ""
    for name, spots in corners.items():
        hits = {
            other: int((box_ious(spots, regions) >= _IOU).any(axis=1).sum())
            for other, regions in boxes.items()
            if len(spots) * len(regions) <= _MOST_PAIRS
        }
        if not hits:
            continue
        fitting = max(hits, key=lambda other: hits[other])
        own += hits.get(name, 0)
        best += hits[fitting]
        if not example and hits[fitting] > 2 * hits.get(name, 0):
            example = f"the spots of {name!r} lie on regions of {fitting!r}"
    if example and 2 * own < best:
        taken = "its image ids are taken for numbers of pages"
        problem = f"{taken}, which the truth contradicts: {example}"
        raise BadInput(source, problem, expected=_NAMED)


def _boxes(truth: Truth) -> Floats:
    return np.array([_box(np.asarray(region.points)) for region in truth.regions]).reshape(-1, 4)


def _box(points: Floats) -> list[float]:
    return [*points.min(axis=0).tolist(), *points.max(axis=0).tolist()]
