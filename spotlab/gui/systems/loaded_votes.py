"""Votes that are open, with what is computed of them once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spotlab.consensus.precision import Gram, gram_of
from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import TRUTH, VoteTable
from spotlab.progress import Progress
from spotlab.studies.systems.voters import arrange_voters, virtual_names


@dataclass(frozen=True, eq=False)
class Loaded:
    """Votes with all that is computed of them once.

    Attributes
    ----------
    table : VoteTable
    columns : tuple of str
        Who votes: the systems, and the truth as an oracle, last, where it is known.
    gram : Gram
        Of the columns.
    systems : int
        How many of the columns are systems.
    votes : Votes
        Of the columns.
    """

    table: VoteTable
    columns: tuple[str, ...]
    gram: Gram
    systems: int
    votes: Votes

    @property
    def virtual(self) -> tuple[str, str]:
        """What ⊤ and ⊥ are called beside these columns: "top" and "bottom", if none is."""
        return virtual_names(self.columns)

    @cached_property
    def relevant_share(self) -> float:
        """Of the items whose truth is known; NaN where none is: the true precision of ⊤."""
        truth = self.table.truth
        known = np.zeros(0) if truth is None else truth[~np.isnan(truth)]
        return float(known.mean()) if len(known) else float("nan")


def load(table: VoteTable, progress: Progress) -> Loaded:
    """Sum the votes up, with the truth as one more voter where it is known."""
    known = table.truth is not None and not np.isnan(table.truth).all()
    case = arrange_voters(table, None, TRUTH if known and TRUTH not in table.systems else None)
    columns = case.columns
    return Loaded(table, columns.systems, gram_of(columns, progress), len(table.systems), columns)


def paper_weights(loaded: Loaded) -> dict[str, float]:
    """The paper's: the same for all, ⊤ and ⊥, and nothing for the oracle."""
    equal = dict.fromkeys((*loaded.columns, *loaded.virtual), 1.0)
    return equal | dict.fromkeys(loaded.columns[loaded.systems :], 0.0)


def bad_lines_text(loaded: Loaded) -> tuple[str, ...]:
    """What is said of lines that were passed over: a sentence, or none."""
    bad = loaded.table.bad_lines
    if not bad:
        return ()
    more = f" and {len(bad) - 1:,} more" if len(bad) > 1 else ""
    return (f"Lines that were passed over: line {bad[0].line}: {bad[0].problem}{more}",)
