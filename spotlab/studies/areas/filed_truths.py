"""Truth that stays in its files: a page is read when it is asked for, and never held."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from spotlab.formats.collection.detect import known_formats
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.truth import page_xml
from spotlab.model import Page, Truth
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr

Change = Callable[[Truth], Truth]


@dataclass(frozen=True)
class TruthFile:
    """A file with the truth of a page.

    Attributes
    ----------
    path : Path
    format : str
        The name of its format.
    entry : PageEntry or None
        The page of the collection that it belongs to, which gives it a name.
    """

    path: Path
    format: str
    entry: PageEntry | None = None

    def read(self, *, words: bool = False, progress: Progress = silent) -> list[Truth]:
        """What the file holds.

        Parameters
        ----------
        words : bool
            Of PAGE files, take the words.
        progress : Progress
            Told of each page.

        Raises
        ------
        BadInput
            It cannot be read.
        """
        if self.format != page_xml.FORMAT.name:
            return list(known_formats()[self.format].read(self.path, progress))
        truth = page_xml.parse(read_bytes(self.path), self.path, words=words)
        return [truth if self.entry is None else named_like(truth, self.entry)]


@dataclass(frozen=True)
class FiledPage:
    """What is known of a page whose truth stays in its file.

    Attributes
    ----------
    page : Page
    labels : tuple of str
        Of its regions, each once.
    file : TruthFile
    place : int
        Which of the file's pages it is.
    """

    page: Page
    labels: tuple[str, ...]
    file: TruthFile
    place: int

    def read(self, words: bool, changes: Collection[Change]) -> Truth:
        """The truth of the page.

        Parameters
        ----------
        words : bool
            Of PAGE files, take the words.
        changes : collection of callable
            What becomes of the truth, one after the other.

        Raises
        ------
        BadInput
            The file cannot be read, or has no such page any more.
        """
        return with_changes(self.file.read(words=words)[self.place], changes)


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
    """What becomes of a truth by one change after the other.

    Parameters
    ----------
    truth : Truth
    changes : collection of callable
    """
    return reduce(lambda changed, change: change(changed), changes, truth)


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
