"""Lines of files that cannot be read, each with its place and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spotlab.errors import shortened


@dataclass(frozen=True, order=True)
class BadLine:
    """A line of a file that is not read.

    Attributes
    ----------
    line : int
        Line, row or entry of the file, from 1.
    problem : str
        What is wrong with it.
    place : str
        Where it is, for a message: "line 7", "row 7", "plan_1.xml, line 7".

    Examples
    --------
    >>> str(BadLine(7, "score is 'x', which is no number"))
    "line 7: score is 'x', which is no number"
    """

    line: int
    problem: str
    place: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "problem", shortened(self.problem))
        object.__setattr__(self, "place", self.place or f"line {self.line}")

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


def bad_line(path: Path, line: int, problem: str) -> BadLine:
    """A bad line that says of which file it is."""
    return BadLine(line, problem, f"{path}, line {line}")
