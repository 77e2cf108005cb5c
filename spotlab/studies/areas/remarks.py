"""Words for remarks: shortened lists, and where spots come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spotlab.arrays import Ints
    from spotlab.model.run import Run

MOST_NAMES = 5  # that a line names; `listed` names all


def some(names: Iterable[str]) -> str:
    """The first names and how many more there are.

    Examples
    --------
    >>> some("abc"), some("abcdefg")
    ('a, b, c', 'a, b, c, d, e and 2 more')
    """
    all_of_them = list(names)
    text = ", ".join(all_of_them[:MOST_NAMES])
    more = len(all_of_them) - MOST_NAMES
    return f"{text} and {more:,} more" if more > 0 else text


def spot_places(run: Run, spots: Ints) -> Iterator[str]:
    """Where spots come from: the line of the file, or the query and rank."""
    for spot in spots.tolist():
        line = int(run.line[spot])
        query = run.queries[run.query[spot]]
        yield f"line {line}" if line else f"{query}, rank {int(run.rank[spot])}"
