"""Reads votes of any kind together with their truth, that of spotted regions among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from spotlab.arrays import Points
from spotlab.errors import BadInput
from spotlab.formats.votes import VoteTable, read_votes
from spotlab.formats.votes.format import Method
from spotlab.formats.votes.reading import vote_format_of
from spotlab.formats.votes.spots import FORMAT as SPOTS
from spotlab.formats.votes.spots import Place, items_of_regions, read_runs, with_remarks
from spotlab.geometry.outlines import Outlines
from spotlab.progress import Progress, silent
from spotlab.studies.tally.truth import (
    TruthSet,
    explain_unmatched,
    match_pages,
    naming_for,
    read_truths,
)


def read_systems(
    paths: Path | str | Sequence[Path | str],
    truth: Sequence[Path | str] = (),
    kind: str | None = None,
    method: Method = "bag_of_words",
    depth: int = 100,
    overlap: float = 0.5,
    yes: Sequence[str] = (),
    missed: bool = False,
    progress: Progress = silent,
) -> VoteTable:
    """The votes in files and folders, and the truth beside them.

    Parameters
    ----------
    paths : Path or sequence of Path
        What `read_votes` reads.
    truth : sequence of Path
        Of spotted regions, truth files or folders of them; of all else what `read_votes` takes as
        truth: a table ``item,truth``, judgements of TREC, a folder called truth.
    kind, method, depth, overlap, yes, missed
        As `read_votes` has them.

    Raises
    ------
    BadInput
        Nothing can be read.
    """
    given = [Path(path) for path in ([paths] if isinstance(paths, Path | str) else paths)]
    true = [Path(path) for path in truth]
    if (kind or (vote_format_of(given).name if true else "")) != SPOTS.name or not true:
        return read_votes(
            [*given, *true], kind, method, depth, overlap, yes, missed, progress=progress
        )
    truth_set = read_truths(true, progress=progress)
    return votes_of_runs(given, truth_set, overlap, missed, progress)


def votes_of_runs(
    paths: Sequence[Path],
    truth_set: TruthSet,
    overlap: float = 0.5,
    missed: bool = False,
    progress: Progress = silent,
) -> VoteTable:
    """The votes of runs of spotted regions, and their truth.

    Parameters
    ----------
    paths : sequence of Path
        Of runs, one a system.
    truth_set : TruthSet
        A region's label is the query that it is right for.
    overlap : float
        Regions of different systems are the same item, and a true region is that item, where their
        intersection over union is so much on average.
    missed : bool
        Whether true regions that no system spotted are items too.

    Returns
    -------
    VoteTable
        Pages as the truth names them; those it does not know are left out, with a remark.

    Raises
    ------
    BadInput
        A run cannot be read, or has no page of the truth.
    """
    runs = read_runs(paths, naming_for(truth_set), progress)
    matched = match_pages((page for read in runs for page in read.run.pages), truth_set)
    pages = {page: own for page, own in matched.items() if own is not None}
    unknown = sorted(page for page, own in matched.items() if own is None)
    if unknown and not pages:
        problem = explain_unmatched(unknown[0], truth_set)
        raise BadInput(paths[0], f"{unknown[0]!r}: {problem}", expected="pages of the truth")
    queries = {query for read in runs for query in read.run.queries}
    table = items_of_regions(
        [read.run for read in runs], pages, _regions(truth_set, queries),
        frozenset(truth_set.truths), overlap, missed, progress,
    )  # fmt: skip
    table = with_remarks(table, runs)
    if not unknown:
        return table
    left_out = f"pages left out because they have no truth: {', '.join(unknown)}"
    return replace(table, remarks=(*table.remarks, left_out))


def _regions(truth_set: TruthSet, queries: set[str]) -> dict[Place, Outlines]:
    """The true regions of what was searched, by page and query."""
    found: dict[Place, list[Points]] = {}
    for page, truth in truth_set.truths.items():
        for region in truth.regions:
            if region.label in queries:
                found.setdefault((page, region.label), []).append(region.array)
    return {place: Outlines.of(rings) for place, rings in found.items()}
