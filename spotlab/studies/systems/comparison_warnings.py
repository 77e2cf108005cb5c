"""What a reader of a comparison has to know before believing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from spotlab.arrays import Floats
from spotlab.consensus.groups import Groups
from spotlab.consensus.votes import Votes
from spotlab.errors import counted
from spotlab.studies.systems.method_results import MethodResult

FEWEST_SYSTEMS = 3
FEWEST_PAGES = 10


def warnings_of(
    votes: Votes,
    groups: Groups,
    main: MethodResult,
    truth: Floats | None,
    oracle: str | None,
    min_votes: int = 0,
    pages: int | None = None,
) -> Iterator[str]:
    """List the warnings, the most important first.

    Parameters
    ----------
    votes : Votes
        Votes of the systems that are compared.
    groups : Groups
        Declared groups, else those found.
    main : MethodResult
        Result of the main method.
    truth : (N,) float or None
        NaN where unknown.
    oracle : str or None
        Name of the oracle.
    min_votes : int
        Minimum number of known votes of a system whose figures are reported.
    pages : int or None
        Number of pages the bootstrap draws from; None if it draws items.

    Yields
    ------
    str
        One sentence or more.
    """
    if groups.warning is not None:
        yield groups.warning
    if groups.remark:
        yield groups.remark
    if groups.only_two:
        yield (
            "Systems of different groups are not compared with each other, because the members of "
            "each group confirm one another."
        )
    if len(votes.systems) < FEWEST_SYSTEMS and oracle is None:
        count = "one system agrees" if len(votes.systems) == 1 else "two systems agree"
        yield f"There are too few systems: {count} only with each other; three or more are needed."
    voted, counts = votes.counts_known > 0, votes.counts_for
    silent = [name for name, known in zip(votes.systems, voted, strict=True) if not known]
    if silent:
        yield f"{_listed(silent)}: no vote is known, so no figure is defined."
    nothing = [
        name
        for name, known, count in zip(votes.systems, voted, counts, strict=True)
        if known and count == 0
    ]
    if nothing:
        yield f"{_listed(nothing)} votes for nothing: precision is undefined."
    fewer = int((voted & (votes.counts_known < min_votes)).sum())
    if fewer:
        yield (
            f"{fewer:,} of {len(votes.systems):,} systems have fewer than {min_votes:,} known "
            "votes: they still vote, but their figures are not reported."
        )
    if pages is not None and pages < FEWEST_PAGES:
        count = counted(pages, "page")
        yield f"The bootstrap draws from {count} only: its intervals are too narrow."
    if main.remark:
        yield f"{main.title}: {main.remark}."
    if truth is not None:
        judged = int((~np.isnan(truth)).sum())
        if judged < len(truth):
            yield (
                f"Truth is known for {judged:,} of {len(truth):,} items; figures with truth use "
                "only these."
            )


def _listed(names: Sequence[str], most: int = 6) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest:,} more" if rest > 0 else "")
