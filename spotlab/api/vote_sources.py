"""Votes of systems from files, tables and arrays, with what is known to be right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from spotlab.api.arguments import Paths, paths_of, refuse, unusable
from spotlab.api.tables import Table, as_file, columns_of, is_table, remarks_of, rows_of
from spotlab.errors import BadArgument
from spotlab.formats.votes import VoteTable, read_votes
from spotlab.formats.votes.answers import ReadAnswers, are_answers, read_answers
from spotlab.formats.votes.format import VoteOptions
from spotlab.progress import Progress, silent
from spotlab.studies.systems.table_truth import with_truth
from spotlab.studies.systems.vote_items import read_systems

VoteSource: TypeAlias = "Paths | Table | ArrayLike"
TruthOfVotes: TypeAlias = "Paths | ArrayLike"

EXPECTED = (
    "a path, several paths, a table with the columns item and one for each system, a mapping of "
    "systems to votes, or an (N, S) array"
)


def votes_of(
    votes: VoteSource,
    truth: TruthOfVotes | None = None,
    kind: str | None = None,
    options: VoteOptions | None = None,
    *,
    skip_bad_lines: bool = False,
    progress: Progress = silent,
) -> VoteTable:
    """The votes in whatever `compare_systems` takes.

    Parameters
    ----------
    votes : path, DataFrame, mapping, (N, S) array, or sequence of path
    truth : path, sequence of path, or (N,) array, optional
        What is right.
    kind : str, optional
        What files are.
    options : VoteOptions, optional
        How files that are no tables of votes become items.
    skip_bad_lines : bool
        Take what can be read.
    progress : callable
        Told how far it is.

    Raises
    ------
    SpotlabError
        Something cannot be read.

    Examples
    --------
    >>> table = votes_of({"a": [1, 0], "b": [1, None]}, truth=[1, 0])
    >>> table.systems, table.truth.tolist()
    (('a', 'b'), [1.0, 0.0])
    """
    if not _are_paths(votes):
        return _of_table(votes, truth, skip_bad_lines, progress)
    return _of_files(votes, truth, kind, options or VoteOptions(), skip_bad_lines, progress)


def with_factors(table: VoteTable, factors: Mapping[str, Mapping[str, str]]) -> VoteTable:
    """The table with more that is known of its systems.

    Parameters
    ----------
    table : VoteTable
    factors : mapping of str to mapping of str to str
        For each factor its value by system.

    Raises
    ------
    BadArgument
        There is no such system.

    Examples
    --------
    >>> with_factors(votes_of({"a": [1], "b": [0]}), {"engine": {"a": "x"}}).factors
    {'engine': ('x', '')}
    """
    for factor, values in factors.items():
        unknown = [name for name in values if name not in table.systems]
        if unknown:
            there = ", ".join(table.systems)
            raise BadArgument(f"`factors`: there is no system {unknown[0]!r}; there are {there}")
        own = tuple(values.get(system, "") for system in table.systems)
        table = replace(table, factors={**table.factors, factor: own})
    return table


def read_said(
    path: Path, table: VoteTable, *, skip_bad_lines: bool = False, progress: Progress = silent
) -> ReadAnswers:
    """What is said of some items in a file.

    Parameters
    ----------
    path : Path
    table : VoteTable
        Which has the items.
    skip_bad_lines : bool
        Take what can be read.
    progress : callable
        Told how far it is.

    Raises
    ------
    SpotlabError
        It cannot be read.
    """
    read = read_answers(path, table.items, progress)
    refuse(read.bad_lines, skip_bad_lines)
    return read


def _are_paths(votes: Any) -> bool:
    """Whether votes are named by paths, or are something that only paths can be told apart from."""
    if is_table(votes):
        return False
    if isinstance(votes, np.ndarray):
        return votes.dtype.kind in "USO"
    if isinstance(votes, Sequence) and not isinstance(votes, str):
        return not len(votes) or not isinstance(votes[0], Sequence | np.ndarray) or isinstance(
            votes[0], str
        )  # fmt: skip
    return True


def _of_files(
    votes: Any, truth: Any, kind: str | None, options: VoteOptions, skip: bool, progress: Progress
) -> VoteTable:
    paths = paths_of(votes, "votes", EXPECTED)
    true = [] if truth is None else paths_of(truth, "truth")
    of_items = [path for path in true if are_answers(path)]
    table = read_systems(
        paths,
        [path for path in true if path not in of_items],
        kind,
        options.method,
        options.depth,
        options.overlap,
        options.yes,
        progress=progress,
    )
    refuse(table.bad_lines, skip)
    for path in of_items:
        table = with_truth(table, read_said(path, table, skip_bad_lines=skip, progress=progress))
    return table


def _of_table(votes: Any, truth: Any, skip: bool, progress: Progress) -> VoteTable:
    what = "the votes"
    if is_table(votes):
        columns = columns_of(votes, what)
    else:
        array = np.asarray(votes, np.float64)
        if array.ndim != 2:
            raise unusable(votes, "votes", EXPECTED)
        columns = {f"system {at}": list(array[:, at - 1]) for at in range(1, array.shape[1] + 1)}
    count = len(next(iter(columns.values()), []))
    names = {name.strip().casefold(): name for name in columns}
    items = columns.pop(names["item"]) if "item" in names else _index_of(votes, count)
    if truth is not None:
        known = list(truth) if not isinstance(truth, str | Path) else []
        if len(known) != count:
            expected = f"one value for each of the {count} items"
            raise unusable(truth, "truth", expected)
        columns["truth"] = known
    with as_file({"item": items, **columns}, what) as path:
        table = read_votes(path, "csv", progress=progress)
    bad = rows_of(table.bad_lines, path, what)
    refuse(bad, skip)
    return replace(
        table, bad_lines=bad, remarks=remarks_of(table.remarks, path, what), name="votes"
    )


def _index_of(votes: Any, count: int) -> list[Any]:
    """The items' names where no column has them: the table's index, or numbers from 1."""
    index = getattr(votes, "index", None) if hasattr(votes, "columns") else None
    if index is None or type(index).__name__ == "RangeIndex":
        return list(range(1, count + 1))
    return list(index)
