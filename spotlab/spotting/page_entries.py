"""The pages that are searched, each with a name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spotlab.errors import BadInput, SpotlabError, reason
from spotlab.files import is_file
from spotlab.formats.collection.containers import is_archive, unpacked
from spotlab.formats.collection.folder import PageEntry, expand, scan
from spotlab.formats.store import digest_of
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES


@dataclass(frozen=True)
class UnreadablePage:
    """A page that could not be searched, and why.

    Attributes
    ----------
    page : str
        Its name.
    problem : str
    """

    page: str
    problem: str


def page_entries(pages: Sequence[Path | PageEntry]) -> list[PageEntry]:
    """List all pages of images, folders, archives and files of several pages, each with a name.

    Parameters
    ----------
    pages : sequence of Path or PageEntry

    Raises
    ------
    BadInput
        A path is not there or no page, or two pages have the same name.
    SpotlabError
        There is none.
    """
    entries = []
    for page in pages:
        for entry in _scanned(page) if isinstance(page, Path) else [page]:
            try:
                entries += expand(entry)
            except BadInput:  # it is listed as unreadable later
                entries.append(entry)
    names: dict[str, PageEntry] = {}
    entries = _each_image_once(entries)
    for entry in entries:
        if entry.name in names:
            problem = f"a page of the name {entry.name!r} is in {names[entry.name].image} already"
            raise BadInput(entry.image, problem, expected="one page of every name")
        names[entry.name] = entry
    if not entries:
        raise SpotlabError("there are no pages to look at")
    return entries


def _scanned(path: Path) -> list[PageEntry]:
    """The pages of a path; an archive is unpacked into the user's cache."""
    is_packed = is_file(path) and path.suffix.lower() not in IMAGE_SUFFIXES and is_archive(path)
    return scan([unpacked(path) if is_packed else path])


def _each_image_once(entries: Sequence[PageEntry]) -> list[PageEntry]:
    """The pages, of which those with several truths have none, and these as others."""
    by_page: dict[tuple[Path, int], list[PageEntry]] = {}
    for entry in entries:
        by_page.setdefault((entry.image, entry.frame), []).append(entry)
    found = []
    for same in by_page.values():
        entry, paths = same[0], tuple(dict.fromkeys(each.truth_path for each in same))
        if len(paths) > 1:
            called = entry.called.removesuffix(entry.rival_ending)
            entry = replace(entry, called=called, has_truth=False, others=paths)
        found += [entry] if len(paths) > 1 else same
    return found


def with_absolute_path(entry: PageEntry) -> PageEntry:
    """Make the path of a page absolute: workers of a cluster run in folders of their own.

    Parameters
    ----------
    entry : PageEntry
    """
    return replace(entry, image=entry.image.absolute())


def readable_pages(
    entries: Sequence[PageEntry], problems: Sequence[str]
) -> tuple[list[int], tuple[UnreadablePage, ...]]:
    """Split pages into those without a problem and the others.

    Parameters
    ----------
    entries : sequence of PageEntry
    problems : sequence of str
        One for each page; "" for none.

    Returns
    -------
    good : list of int
        Numbers of the pages without a problem.
    left_out : tuple of UnreadablePage
        The others.

    Raises
    ------
    BadInput
        All pages have one.

    Examples
    --------
    >>> pages = [PageEntry(Path(n), 0, 1, Path(f"{n}.xml"), False) for n in ("one", "two")]
    >>> readable_pages(pages, ["", "it is damaged"])
    ([0], (UnreadablePage(page='two', problem='it is damaged'),))
    """
    good = [number for number, problem in enumerate(problems) if not problem]
    if not good:
        raise BadInput(entries[0].image, problems[0])
    return good, tuple(
        UnreadablePage(entry.name, problem)
        for entry, problem in zip(entries, problems, strict=True)
        if problem
    )


def image_digests(entries: Iterable[PageEntry]) -> dict[Path, str | BadInput]:
    """Compute the digest of each image file, once for all of its pages.

    Parameters
    ----------
    entries : iterable of PageEntry

    Returns
    -------
    dict of Path to (str or BadInput)
        For a file that cannot be read, why.
    """
    digests: dict[Path, str | BadInput] = {}
    for image in dict.fromkeys(entry.image for entry in entries):
        try:
            digests[image] = digest_of(image)
        except OSError as error:
            digests[image] = BadInput(image, f"cannot be read: {reason(error)}")
    return digests
