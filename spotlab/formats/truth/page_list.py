"""What tells the pages of a list from each other, and how new ones get their place in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

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
