"""The first line of a table of votes, which names the systems, and the lines that tell of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from spotlab.errors import BadInput, counted
from spotlab.formats.votes.format import TRUTH

ITEM, PAGE = "item", "page"
EXPECTED = "item,<system>,…, with truth and page where they are known"


@dataclass
class Head:
    """Where a table of votes has what.

    Attributes
    ----------
    systems : tuple of str
    places : tuple of int
        The column of each system; that of the item is 0.
    truth, page : int or None
        Their columns.
    width : int
        Of all columns.
    factors : dict of str to tuple of str
        Those that were told of the systems so far.
    """

    systems: tuple[str, ...]
    places: tuple[int, ...]
    truth: int | None
    page: int | None
    width: int
    factors: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add_factor(self, row: Sequence[str]) -> None:
        """Take a line that tells something of the systems; ValueError if it is not right.

        Examples
        --------
        >>> head = read_head(["item", "a", "b"], Path("votes.csv"), "line 1")
        >>> head.add_factor(["#engine", "tess", "ocro"])
        >>> head.factors
        {'engine': ('tess', 'ocro')}
        """
        name = row[0].strip().removeprefix("#").strip()
        if not name:
            raise ValueError("a factor has no name; expected #name and one value per system")
        if name in self.factors:
            raise ValueError(f"the factor {name!r} occurs twice; expected it once")
        if not max(self.places) < len(row) <= self.width:
            columns = f"{self.width} as the first line has"
            raise ValueError(f"{counted(len(row), 'column')}; expected {columns}")
        self.factors[name] = tuple(row[place].strip() for place in self.places)


def read_head(names: Sequence[str], path: Path, place: str) -> Head:
    """What the first line says.

    Raises
    ------
    BadInput
        It does not begin with ``item``, names no system, or one twice, or one not at all.
    """
    plain = [name.strip() for name in names]
    folded = [name.casefold() for name in plain]
    if folded[0] != ITEM:
        problem = f"the first column is {plain[0][:40]!r}"
        raise BadInput(path, problem, place=place, expected=EXPECTED)
    special: dict[str, int] = {}
    for name in (TRUTH, PAGE):
        if name in folded:
            special[name] = folded.index(name)
    places = tuple(at for at in range(1, len(plain)) if at not in special.values())
    systems = tuple(plain[at] for at in places)
    if not systems:
        raise BadInput(path, "the file has no system", place=place, expected=EXPECTED)
    if "" in systems:
        column = places[systems.index("")] + 1
        problem = f"column {column} has no name"
        raise BadInput(path, problem, place=place, expected="a name for every system")
    twice = next((name for name in systems if systems.count(name) > 1), None)
    again = next((name for name in special if folded.count(name) > 1), twice)
    if again is not None:
        problem = f"the column {again!r} occurs twice"
        raise BadInput(path, problem, place=place, expected="every name once")
    return Head(systems, places, special.get(TRUTH), special.get(PAGE), len(plain))
