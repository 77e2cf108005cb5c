"""What a figure is called, which unit it has, and what it means."""

from __future__ import annotations

from dataclasses import dataclass

UNITS = ("", "%", "count", "px²", "change")


@dataclass(frozen=True)
class Figure:
    """A figure as tables and files show it.

    Attributes
    ----------
    name : str
        In files and in code.
    title : str
        In tables.
    unit : {"", "%", "count", "px²", "change"}
        "" for shares in [0, 1], "%" for percent, "count" for numbers of things, "px²" for areas,
        "change" for differences of shares, which are written with their sign.
    better : {1, -1, 0}
        1 if high values are good, -1 if low ones are, 0 if neither.
    definition : str
        A sentence with the formula, for somebody who has not read the paper.

    Raises
    ------
    ValueError
        There is no such unit, or ``better`` is none of the three.
    """

    name: str
    title: str
    unit: str
    better: int
    definition: str

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise ValueError(f"the unit of {self.name} is {self.unit!r}, expected one of {UNITS}")
        if self.better not in (-1, 0, 1):
            raise ValueError(f"better of {self.name} is {self.better!r}, expected -1, 0 or 1")
