"""Titles of listed pages, the place of new ones among them, and the folder that has them all."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from spotlab.formats.truth.folder import PageEntry


def page_titles(entries: Sequence[PageEntry]) -> tuple[str, ...]:
    """The name of each page, with as much of its path as tells it from pages of the same name.

    Parameters
    ----------
    entries : sequence of PageEntry

    Returns
    -------
    tuple of str
        A title per entry. Pages of one name get the file's ending, ``plan.png``, or folders,
        ``ground floor/plan``.
    """
    titles = [entry.name for entry in entries]
    alike: dict[str, list[int]] = defaultdict(list)
    for place, title in enumerate(titles):
        alike[title].append(place)
    for places in alike.values():
        if len(places) > 1:
            for place, title in zip(places, _apart([entries[p] for p in places]), strict=True):
                titles[place] = title
    return tuple(titles)


def with_new_pages(
    entries: Sequence[PageEntry], listed: Sequence[PageEntry]
) -> tuple[PageEntry, ...]:
    """The pages of a list, and those of another one that it lacks, each behind its predecessor.

    Parameters
    ----------
    entries : sequence of PageEntry
        The list as it is. All of its pages stay, also those that ``listed`` lacks.
    listed : sequence of PageEntry
        What lies in the folders now, in its order.
    """
    known = {entry.image for entry in entries}
    behind: dict[object, list[PageEntry]] = defaultdict(list)
    last: object = None
    for entry in listed:
        if entry.image in known:
            last = entry.image
        else:
            behind[last].append(entry)
    merged = list(behind[None])
    for place, entry in enumerate(entries):
        merged.append(entry)
        ends = place + 1 == len(entries) or entries[place + 1].image != entry.image
        if ends:
            merged += behind.pop(entry.image, [])
    return tuple(merged)


def _apart(entries: list[PageEntry]) -> list[str]:
    """Titles that differ, as short as they can be for all of these."""
    for titles in _candidates(entries):
        if len(set(titles)) == len(titles):
            return titles
    return [f"{entry.name} ({entry.truth_path})" for entry in entries]


def _candidates(entries: list[PageEntry]) -> Iterator[list[str]]:
    deepest = max(len(entry.image.parts) for entry in entries)
    full = [entry.image.name + entry.name.removeprefix(entry.image.stem) for entry in entries]
    for depth in range(deepest):
        for names in ([entry.name for entry in entries], full):
            yield [
                "/".join((*entry.image.parent.parts[-depth:], name)) if depth else name
                for entry, name in zip(entries, names, strict=True)
            ]


def common_folder(entries: Sequence[PageEntry]) -> Path | None:
    """The folder that all pages are in or below; None without pages.

    What a collection keeps, such as its labels, lies in this folder. It is never above the opened
    folder: of an image outside of that, the folder of the truth file that names it counts.

    Parameters
    ----------
    entries : sequence of PageEntry

    Examples
    --------
    >>> paths = [Path("/letters/a/1.png"), Path("/letters/b/1.png")]
    >>> entries = [PageEntry(path, 0, 1, path.with_suffix(".xml"), False) for path in paths]
    >>> common_folder(entries).as_posix()
    '/letters'
    """
    candidates = {(each.image.parent, each.truth_path.parent, each.root) for each in entries}
    folders = {_inside(root, image, truth) for image, truth, root in candidates}
    return Path(os.path.commonpath(folders)) if folders else None


def common_root(entries: Sequence[PageEntry]) -> Path | None:
    """The opened folder, or the one that all opened folders are in; None without pages."""
    roots = {each.root.absolute() for each in entries if each.root}
    return Path(os.path.commonpath(roots)) if roots else common_folder(entries)


def _inside(root: Path | None, *folders: Path) -> Path:
    """The first of these folders that is the root or in it, as links lead; else the root."""
    if root is None:
        return folders[0].absolute()
    top = os.path.realpath(root)
    inside = (each for each in folders if Path(os.path.realpath(each)).is_relative_to(top))
    return next(inside, root).absolute()
