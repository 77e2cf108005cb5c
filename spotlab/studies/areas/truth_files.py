"""Reads the truth that runs are judged by, and finds the page of it that a run means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from spotlab.editing.unfinished import unfinished_remarks
from spotlab.errors import BadInput
from spotlab.formats.rows.file_content import read_bytes
from spotlab.formats.rows.json_values import load_object
from spotlab.formats.rows.natural import natural
from spotlab.formats.truth import coco, page_xml
from spotlab.formats.truth.detect import format_of, truth_files_in
from spotlab.formats.truth.folder import PageEntry, expand, scan
from spotlab.formats.truth.label_file import read_labels
from spotlab.imaging.header import IMAGE_SUFFIXES
from spotlab.model import Truth
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr

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
    def all_truths(self) -> Mapping[str, Truth]:
        """The truth of all pages, those outside the subset included."""
        return {**self.truths, **self.outside} if self.outside else self.truths

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
        every = self.all_truths
        inside = {name: truth for name, truth in every.items() if name in names}
        outside = {name: truth for name, truth in every.items() if name not in names}
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
    found = _Found(words)
    given = [Path(path) for path in paths]
    for path in given:
        if path.is_dir() or path.suffix.lower() in IMAGE_SUFFIXES:
            found.add_scanned(path, progress)
        else:
            found.add_file(path, progress)
        found.add_labels(path if path.is_dir() else path.parent)
    found.remarks += unfinished_remarks(found.origins.values())
    if not found.truths:
        problem = "it has no truth"
        expected = "PAGE XML beside its image, or a truth file of another format by its name"
        if given and any(given[0].glob("*.parquet")):
            expected += "; parts of a collection are for 'spotlab parts evaluate'"
        raise BadInput(given[0] if given else Path("truth"), problem, expected=expected)
    return found.as_set()


class _Found:
    """What has been read so far."""

    def __init__(self, words: bool) -> None:
        self.words = words
        self.truths: dict[str, Truth] = {}
        self.origins: dict[str, Path] = {}
        self.files: set[Path] = set()
        self.without: set[str] = set()
        self.remarks: list[str] = []
        self.image_ids: dict[Any, set[str]] = {}
        self.categories: dict[Any, set[str]] = {}
        self.labels: set[tuple[str, ...]] = set()

    def add_scanned(self, path: Path, progress: Progress) -> None:
        """Every page of a folder, or of an image file.

        Where a folder has no PAGE at all, files of other formats in it are the truth.
        """
        entries = [page for entry in scan([path], progress) for page in pages_of(entry)]
        if path.is_dir() and not any(entry.has_truth for entry in entries):
            files, remarks = truth_files_in(path)
            self.remarks += remarks
            for file, _ in track(files, progress, "reading truth"):
                self.add_file(file, silent)
        for entry in track(entries, progress, "reading truth"):
            if entry.has_truth and self.is_new(entry.truth_path):
                self.add(named_like(self._read_page(entry.truth_path), entry), entry.truth_path)
            elif not entry.has_truth and entry.name not in self.truths:
                self.without.add(entry.name)

    def add_file(self, path: Path, progress: Progress) -> None:
        """Every page of a truth file."""
        format = format_of(path)
        if not self.is_new(path):
            return
        if format is page_xml.FORMAT:
            progress(0, 1, f"reading {path.name}")
            self.add(self._read_page(path), path)
            return
        truths = format.read(path, progress)
        for truth in truths:
            self.add(truth, path)
        if format is coco.FORMAT:
            self._add_ids(load_object(path, "COCO"), truths)

    def add_labels(self, folder: Path) -> None:
        """The label list of a folder, if it has one."""
        labels = tuple(label.name for label in read_labels(folder))
        if labels:
            self.labels.add(labels)

    def is_new(self, path: Path) -> bool:
        """Whether the file has not been read yet; a folder and a file in it may both be given."""
        known = path.resolve() in self.files
        self.files.add(path.resolve())
        return not known

    def add(self, truth: Truth, path: Path) -> None:
        """One page, which has to be the only one of its name."""
        name = truth.page.name
        if name in self.truths:
            problem = f"the page {name!r} already has truth in {self.origins[name]}"
            raise BadInput(path, problem, expected="one truth for every page name")
        self.truths[name], self.origins[name] = truth, path

    def as_set(self) -> TruthSet:
        """All that was read, in natural order."""
        names = sorted(self.truths, key=natural)
        unclear = [
            f"{what} {id!r} means different things in the truth files: " + ", ".join(sorted(values))
            for what, ids in (("image_id", self.image_ids), ("category_id", self.categories))
            for id, values in ids.items()
            if len(values) > 1
        ]
        return TruthSet(
            {name: self.truths[name] for name in names},
            tuple(sorted(self.without, key=natural)),
            _single(self.image_ids),
            _single(self.categories),
            (*self.remarks, *unclear),
            next(iter(self.labels)) if len(self.labels) == 1 else (),
        )

    def _read_page(self, path: Path) -> Truth:
        return page_xml.parse(read_bytes(path), path, words=self.words)

    def _add_ids(self, content: Mapping[str, Any], truths: Sequence[Truth]) -> None:
        # the reader has checked that these are lists of objects, an image for each truth
        for image, truth in zip(content.get("images", []), truths, strict=True):
            self.image_ids.setdefault(image.get("id"), set()).add(truth.page.name)
        for category in content.get("categories", []):
            label = " ".join(str(category.get("name", "")).split())
            self.categories.setdefault(category.get("id"), set()).add(label)


def pages_of(entry: PageEntry) -> list[PageEntry]:
    """The pages of a file; the file itself where its image cannot be read.

    Parameters
    ----------
    entry : PageEntry
    """
    try:
        return expand(entry)
    except BadInput:  # evaluating needs no image, so a damaged one is no harm
        return [entry]


def named_like(truth: Truth, entry: PageEntry) -> Truth:
    """The truth with the name that the collection gives its page.

    Parameters
    ----------
    truth : Truth
    entry : PageEntry
    """
    if truth.page.name == entry.name:
        return truth
    frames = entry.frames or 1
    page = replace(truth.page, image=entry.image, frame=entry.frame, frames=frames)
    return replace(truth, page=page)


def _single(ids: Mapping[Any, set[str]]) -> dict[Any, str]:
    return {id: next(iter(values)) for id, values in ids.items() if len(values) == 1}


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
    for name, truth in truth_set.all_truths.items():
        known.setdefault(truth.page.image.name, []).append(name)
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
