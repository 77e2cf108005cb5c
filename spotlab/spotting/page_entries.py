"""The pages that a spotter is to search, each with a name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spotlab.errors import BadInput, SpotlabError, reason
from spotlab.formats.truth.folder import PageEntry, expand, scan
from spotlab.spotting.page_file import digest_of


@dataclass(frozen=True)
class LeftOut:
    """A page that could not be searched, and why."""

    page: str
    problem: str


def page_entries(pages: Sequence[Path | PageEntry]) -> list[PageEntry]:
    """All pages of images, folders and files of several pages, each with a name of its own.

    Raises
    ------
    BadInput
        A path is not there or no page, or two pages have the same name.
    SpotlabError
        There is none.
    """
    entries = []
    for page in pages:
        for entry in scan([page]) if isinstance(page, Path) else [page]:
            try:
                entries += expand(entry)
            except BadInput:  # it is listed as unreadable later
                entries.append(entry)
    names: dict[str, PageEntry] = {}
    for entry in entries:
        if entry.name in names:
            problem = f"a page of the name {entry.name!r} is in {names[entry.name].image} already"
            raise BadInput(entry.image, problem, expected="one page of every name")
        names[entry.name] = entry
    if not entries:
        raise SpotlabError("there are no pages to look at")
    return entries


def with_absolute_path(entry: PageEntry) -> PageEntry:
    """The page by its whole path: workers of a cluster work in folders of their own."""
    return replace(entry, image=entry.image.absolute())


def readable_pages(
    entries: Sequence[PageEntry], problems: Sequence[str]
) -> tuple[list[int], tuple[LeftOut, ...]]:
    """The numbers of the pages without a problem, and the others.

    Raises
    ------
    BadInput
        All pages have one.
    """
    good = [number for number, problem in enumerate(problems) if not problem]
    if not good:
        raise BadInput(entries[0].image, problems[0])
    return good, tuple(
        LeftOut(entry.name, problem)
        for entry, problem in zip(entries, problems, strict=True)
        if problem
    )


def image_digests(entries: Iterable[PageEntry]) -> dict[Path, str | BadInput]:
    """Of each image file's content, or why it cannot be read; of several pages only once."""
    found: dict[Path, str | BadInput] = {}
    for image in dict.fromkeys(entry.image for entry in entries):
        try:
            found[image] = digest_of(image)
        except OSError as error:
            found[image] = BadInput(image, f"cannot be read: {reason(error)}")
    return found
