"""Pages of rectangles in whole px, some of them ignored, for tests by counting pixels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from spotlab.geometry.coverage import Engine
from spotlab.geometry.polygon import Outlines
from spotlab.measures.tally import Tally
from spotlab.model import Ignore, Page, Region, Run, Truth
from spotlab.studies.tally.tallying import tally

SIDE = 12
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Placed:
    """A rectangle on one of two pages, in whole px."""

    label: str
    page: str
    box: Box
    ignore: Ignore = Ignore.NO

    @property
    def ring(self) -> tuple[tuple[float, float], ...]:
        left, top, right, bottom = self.box
        return ((left, top), (right, top), (right, bottom), (left, bottom))

    @property
    def pixels(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Both pages, one above the other."""
        left, top, right, bottom = self.box
        found = np.zeros((2, SIDE, SIDE), bool)
        found["pq".index(self.page), max(0, top) : bottom, max(0, left) : right] = True
        return found

    def concerns(self, query: str) -> bool:
        return self.ignore is not Ignore.NO and self.label in ("", query)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    left, top = draw(st.integers(-2, SIDE - 1)), draw(st.integers(-2, SIDE - 1))
    right, bottom = left + draw(st.integers(1, 8)), top + draw(st.integers(1, 8))
    return left, top, max(1, right), max(1, bottom)


def placed(labels: str, ignores: tuple[Ignore, ...]) -> st.SearchStrategy[Placed]:
    names = st.sampled_from([label.strip() for label in labels])
    return st.builds(Placed, names, st.sampled_from("pq"), boxes(), st.sampled_from(ignores))


SPOTS = st.lists(placed("ab", (Ignore.NO,)), max_size=7)
REGIONS = st.lists(placed("ab ", tuple(Ignore)), max_size=8)
QUICK = settings(max_examples=60, deadline=None)


def truth_of(page: str, regions: list[Placed]) -> Truth:
    return Truth(
        Page(Path(f"{page}.png"), SIDE, SIDE),
        tuple(
            Region(each.ring, each.label, f"r{number}", ignore=each.ignore)
            for number, each in enumerate(regions)
            if each.page == page
        ),
    )


def tally_of(spots: list[Placed], regions: list[Placed], engine: Engine = Engine.AUTO) -> Tally:
    truths = {page: truth_of(page, regions) for page in "pq"}
    run = Run.ordered(
        "run",
        [each.label for each in spots],
        [each.page for each in spots],
        Outlines.of([each.ring for each in spots]),
        score=-np.arange(len(spots), dtype=float),
    )
    return tally(run, truths, {"p": "p", "q": "q"}, engine=engine)


def union(members: list[Placed]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    found = np.zeros((2, SIDE, SIDE), bool)
    for each in members:
        found |= each.pixels
    return found
