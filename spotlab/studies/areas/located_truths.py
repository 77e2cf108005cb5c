"""Finds the truth of a collection whose pages are read by the workers of a cluster only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from spotlab.compute import add_up
from spotlab.formats.collection.detect import known_formats
from spotlab.progress import Progress, silent
from spotlab.studies.areas.filed_truths import (
    Change,
    FiledPage,
    FiledTruths,
    TruthFile,
    changed_truths,
    with_changes,
)
from spotlab.studies.areas.found_pages import FoundPages
from spotlab.studies.areas.truth_files import TruthSet, read_truths, truth_set_of
from spotlab.studies.areas.truth_listing import list_truths, with_absolute_paths

FILES_AT_ONCE = 50  # files that a worker looks at


def locate_truths(
    paths: Iterable[Path | str],
    cluster: str,
    *,
    words: bool = False,
    change: Change | None = None,
    progress: Progress = silent,
) -> TruthSet:
    """The truth in folders and files, which stays there: workers look at each page.

    Parameters
    ----------
    paths : iterable of Path
        As in `spotlab.studies.areas.truth_files.read_truths`; workers find them at the same places.
    cluster : str
        Address of a Dask scheduler.
    words : bool
        Of PAGE files, take the words as regions.
    change : callable, optional
        What becomes of the truth of each page.
    progress : Progress
        Told of each group of files.

    Returns
    -------
    TruthSet
        Its pages are read when they are asked for. Where some file holds any number of pages, as
        one of COCO does, all truth is read here instead.

    Raises
    ------
    BadInput
        As in `read_truths`.
    SpotlabError
        The cluster fails.
    """
    given = [Path(path) for path in paths]
    listing = list_truths(given, progress)
    formats = known_formats()
    if any(formats[file.format].many_pages for file in listing.files):
        whole = read_truths(given, words=words, progress=progress)
        return (
            whole if change is None else replace(whole, truths=changed_truths(whole.truths, change))
        )
    files = [with_absolute_paths(file) for file in listing.files]
    changes = () if change is None else (change,)
    works = [files[start : start + FILES_AT_ONCE] for start in range(0, len(files), FILES_AT_ONCE)]
    looked = add_up(
        _looked_at, _in_a_row, works, 1, cluster, progress, "reading truth",
        common=(words, changes),
    )  # fmt: skip
    pages = iter(looked or ())
    found: FoundPages[FiledPage] = FoundPages()
    for item in listing.items:
        if isinstance(item, str):
            found.add_without(item)
            continue
        for page in next(pages):
            found.add(page.page.name, page, item.path)
    truths = FiledTruths(found.in_order(), words, changes)
    return truth_set_of(given, listing, found, truths)


def _looked_at(
    files: Sequence[TruthFile], words: bool, changes: Sequence[Change]
) -> list[list[FiledPage]]:
    """For each file, what is known of its pages."""
    return [_pages_in(file, words, changes) for file in files]


def _pages_in(file: TruthFile, words: bool, changes: Sequence[Change]) -> list[FiledPage]:
    truths = [with_changes(truth, changes) for truth in file.read(words=words)]
    return [
        FiledPage(
            truth.page, tuple(dict.fromkeys(region.label for region in truth.regions)), file, place
        )
        for place, truth in enumerate(truths)
    ]


def _in_a_row(parts: Sequence[list[list[FiledPage]]]) -> list[list[FiledPage]]:
    return [pages for part in parts for pages in part]
