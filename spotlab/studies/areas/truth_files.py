"""Reads the truth that runs are judged by, and finds the page of it that a run means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from spotlab.editing.unfinished import unfinished_remarks
from spotlab.errors import BadInput
from spotlab.formats.rows.json_values import load_object
from spotlab.formats.rows.numbers import natural
from spotlab.formats.truth import coco
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.model import Page, Truth
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.studies.areas.filed_truths import chosen_truths, joined_truths, pages_of_truths
from spotlab.studies.areas.found_pages import FoundPages
from spotlab.studies.areas.truth_listing import TruthListing, list_truths

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
        Of a COCO truth file: the page name of each image id, the label of each category id. An id
        that two files give to different things is left out.
    remarks : tuple of str
        What a person should know about the files.
    labels : tuple of str
        In the order of the collection's label list; empty where there is none, or more than one.
    outside : dict of str to Truth
        The truth of pages that are left out on purpose; nothing is evaluated on them.
    """

    truths: Mapping[str, Truth]
    without_truth: tuple[str, ...] = ()
    image_ids: Mapping[Any, str] = field(default_factory=dict)
    categories: Mapping[Any, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    outside: Mapping[str, Truth] = field(default_factory=dict)

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
    paths: Iterable[Path | str], *, words: bool = False, progress: Progress = silent
) -> TruthSet:
    """The truth in folders and files.

    Parameters
    ----------
    paths : iterable of Path
        Folders (PAGE files beside their images, in all folders in them; without any, truth files of
        other formats), images, and truth files of any format.
    words : bool
        Of PAGE files, take the words that have a text as regions, labelled "word", instead of the
        regions.

    Raises
    ------
    BadInput
        Something cannot be read, two truths are about pages of one name, or there is none.
    """
    given = [Path(path) for path in paths]
    listing = list_truths(given, progress)
    found: FoundPages[Truth] = FoundPages()
    alone = len(listing.items) == 1
    for item in track(listing.items, silent if alone else progress, "reading truth"):
        if isinstance(item, str):
            found.add_without(item)
            continue
        truths = item.read(words=words, progress=progress if alone else silent)
        for truth in truths:
            found.add(truth.page.name, truth, item.path)
        if item.format == coco.FORMAT.name:
            found.add_ids(load_object(item.path, "COCO"), truths)
    return truth_set_of(given, listing, found, found.in_order())


def truth_set_of(
    paths: Sequence[Path],
    listing: TruthListing,
    found: FoundPages[Any],
    truths: Mapping[str, Truth],
) -> TruthSet:
    """The truth in files, with all that is known of these.

    Parameters
    ----------
    paths : sequence of Path
        What was asked for.
    listing : TruthListing
        The files there.
    found : FoundPages
        Their pages.
    truths : mapping of str to Truth
        By page name, in natural order.

    Raises
    ------
    BadInput
        There is none.
    """
    if not truths:
        problem = "it has no truth"
        expected = "PAGE XML beside its image, or a truth file of another format by its name"
        if paths and any(paths[0].glob("*.parquet")):
            expected += "; parts of a collection are for 'spotlab parts evaluate'"
        raise BadInput(paths[0] if paths else Path("truth"), problem, expected=expected)
    return TruthSet(
        truths,
        tuple(sorted(found.without, key=natural)),
        found.image_ids,
        found.categories,
        (*listing.remarks, *unfinished_remarks(found.origins), *found.unclear),
        listing.labels,
    )


def match_pages(run_pages: Iterable[str], truth_set: TruthSet) -> dict[str, str | None]:
    """For each page as a run names it, the page of the truth that it means.

    A run may say the page's name, its image's file name, or either with another ending or with
    folders before it; the first of these that fits counts.

    Parameters
    ----------
    run_pages : iterable of str
    truth_set : TruthSet

    Returns
    -------
    dict of str to str or None
        None where there is no such page, or more than one, or it is outside the subset;
        `explain_unmatched` says which.

    Examples
    --------
    >>> from spotlab.model import Page
    >>> truth_set = TruthSet({"plan": Truth(Page(Path("plan.png"), 9, 9))})
    >>> match_pages(["plan", "plan.png", "scans/plan.tif", "other"], truth_set)
    {'plan': 'plan', 'plan.png': 'plan', 'scans/plan.tif': 'plan', 'other': None}
    """
    known = _known_names(truth_set)
    found: dict[str, str | None] = {}
    for page in run_pages:
        names = _candidates(page, truth_set, known)
        found[page] = names[0] if len(names) == 1 and names[0] in truth_set.truths else None
    return found


def explain_unmatched(run_page: str, truth_set: TruthSet) -> str:
    """Why `match_pages` finds no page, for a person; empty where it finds one.

    Examples
    --------
    >>> explain_unmatched("plan.png", TruthSet({}, without_truth=("plan",)))
    'the page has no truth file'
    """
    names = _candidates(run_page, truth_set, _known_names(truth_set))
    if len(names) > 1:
        return "the name may mean " + " or ".join(names)
    if names:
        return "" if names[0] in truth_set.truths else OUTSIDE
    if any(name in truth_set.without_truth for name in _spellings(run_page)):
        return "the page has no truth file"
    return "there is no such page in the truth"


def _known_names(truth_set: TruthSet) -> dict[str, list[str]]:
    """The pages that each image file name belongs to."""
    known: dict[str, list[str]] = {}
    for name, page in truth_set.all_pages.items():
        known.setdefault(page.image.name, []).append(name)
    return known


def _candidates(page: str, truth_set: TruthSet, known: Mapping[str, list[str]]) -> list[str]:
    for spelling in _spellings(page):
        if spelling in known:
            return known[spelling]
        if spelling not in truth_set.truths and spelling not in truth_set.outside:
            continue
        if spelling in truth_set.without_truth:
            # a.png and a.jpg are there, only one of them with truth, and the run says neither
            return [f"{spelling} with truth", f"{spelling} without"]
        return [spelling]
    return []


def _spellings(page: str) -> list[str]:
    """What a run may mean by a page: as it stands, without folders, without ending."""
    bare = page.replace("\\", "/").rpartition("/")[2]
    stem, dot, suffix = bare.rpartition(".")
    is_file = f".{suffix.lower()}" in (*IMAGE_SUFFIXES, ".xml")
    return list(dict.fromkeys([page, bare, stem] if dot and is_file else [page, bare]))
