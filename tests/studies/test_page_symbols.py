"""States of symbols: by hand, nested, at cuts, and in sum what the figures say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spotlab.formats.runs.reading import read_run
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.overlay import AreaKind
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.measure import MeasureSettings
from spotlab.model import Page, Region, Run, Truth
from spotlab.studies.tally.page_view import (
    OF_REGIONS,
    PageSymbols,
    SymbolState,
    page_spots,
    page_symbols,
)
from spotlab.studies.tally.tallying import tally
from spotlab.studies.tally.truth import match_pages, read_truths

PLANS = Path(__file__).parents[2] / "datasets" / "floorplans"
SIZE = (400, 300)
State = SymbolState


def box(left: float, top: float, right: float, bottom: float) -> tuple[tuple[float, float], ...]:
    return (left, top), (right, top), (right, bottom), (left, bottom)


ROOM, DESK, BED = box(0, 0, 200, 100), box(20, 20, 60, 40), box(120, 20, 160, 60)
TRUTH = Truth(
    Page(Path("plan.png"), *SIZE),
    (
        Region(ROOM, "room", "r1"),
        Region(DESK, "desk", "r2"),
        Region(BED, "bed", "r3"),
        Region(box(300, 200, 310, 210), "", "r4"),
    ),
)
SPOTS = (
    ("desk", box(20, 20, 50, 40)),  # three quarters of the desk: just enough
    ("desk", box(250, 150, 280, 180)),  # on nothing
    ("bed", box(120, 20, 140, 60)),  # half of the bed
    ("bed", box(140, 20, 150, 60)),  # one more quarter
    ("bed", DESK),  # on another label
)


def figures_of(settings: MeasureSettings | None = None) -> RunFigures:
    queries, rings = zip(*SPOTS, strict=True)
    rank = [1, 2, 1, 2, 3]
    run = Run.ordered("mine", queries, ["plan"] * 5, Outlines.of(rings), rank=rank)
    tallied = tally(run, {"plan": TRUTH}, {"plan": "plan"})
    return compute_figures(tallied, settings or MeasureSettings())


def symbols_at(
    figures: RunFigures, counts: np.ndarray, query: str | None = None, page: str = "plan",
    truth: Truth = TRUTH,
) -> PageSymbols:  # fmt: skip
    spots = page_spots(figures.tally, page, query, counts)
    size = truth.page.width, truth.page.height
    return page_symbols(spots, spots.areas(truth.regions, size), truth.regions, figures)


def test_states_by_hand_with_truth_nested_in_a_missed_room() -> None:
    figures = figures_of()
    whole = symbols_at(figures, np.array([3, 2, 0]))

    assert whole.regions == ("r1", "r2", "r3")  # the one without a label is of no query
    assert whole.state.tolist() == [State.MISSED, State.RECOGNISED, State.RECOGNISED]
    assert whole.covered.tolist() == pytest.approx([0, 0.75, 0.75])
    tally = figures.tally
    assert [(tally.queries[tally.query[at]], tally.rank[at]) for at in whole.false_spots] == [
        ("bed", 3), ("desk", 2),
    ]  # fmt: skip
    assert len(whole.false_outlines) == 2 and whole.spots == 5
    assert whole.share(State.FALSE) == 0.4 and whole.share(State.MISSED) == pytest.approx(1 / 3)


def test_states_at_a_cut() -> None:
    cut = symbols_at(figures_of(), np.array([1, 1, 0]))

    assert cut.state.tolist() == [State.MISSED, State.RECOGNISED, State.PARTLY]
    assert cut.covered.tolist() == pytest.approx([0, 0.75, 0.5])
    assert len(cut.false_spots) == 1  # the first of the bed: nothing is recognised yet


def test_states_of_one_query() -> None:
    bed = symbols_at(figures_of(), np.array([3, 2, 0]), "bed")

    assert bed.regions == ("r3",) and bed.state.tolist() == [State.RECOGNISED]
    assert bed.count(State.FALSE) == 1 and bed.spots == 3


def test_the_threshold_is_that_of_the_settings() -> None:
    strict = symbols_at(figures_of(MeasureSettings(recognised=0.8)), np.array([3, 2, 0]))

    assert strict.state.tolist() == [State.MISSED, State.PARTLY, State.PARTLY]
    assert strict.count(State.FALSE) == 5


def test_regions_that_are_not_tallied_yet_have_no_state() -> None:
    figures = figures_of()
    fresh = Truth(TRUTH.page, (*TRUTH.regions, Region(box(300, 0, 350, 50), "bed", "new")))
    counts = np.array([3, 2, 0])

    assert symbols_at(figures, counts, truth=fresh).regions == ("r1", "r2", "r3")
    elsewhere = symbols_at(figures, counts, page="another")
    assert not elsewhere.regions and elsewhere.share(State.MISSED) is None


@pytest.mark.parametrize("kept", [2, 8, 40])
def test_all_pages_together_are_the_symbol_figures(kept: int) -> None:
    truths = read_truths([PLANS])
    run = read_run(PLANS / "runs" / "a_ratios.csv").run
    tallied = tally(run, truths.truths, match_pages(run.pages, truths))
    figures = compute_figures(tallied, MeasureSettings())
    counts = np.minimum(np.diff(tallied.starts), kept)
    pages = [
        symbols_at(figures, counts, page=name, truth=truth) for name, truth in truths.truths.items()
    ]
    sums = figures.sums_at(counts)

    recognised = sum(page.count(State.RECOGNISED) for page in pages)
    assert recognised == sums.recognised.sum() > 0
    assert sum(page.count(State.FALSE) for page in pages) == sums.false_positives.sum() > 0
    assert sum(page.count(state) for page in pages for state in OF_REGIONS) == sums.symbols.sum()


def test_a_region_says_if_only_another_label_took_it() -> None:
    taken, untouched = (
        symbols_at(figures_of(), np.array(counts)) for counts in ([3, 0, 0], [0] * 3)
    )

    assert [AreaKind(kind) for kind in taken.kinds] == [
        AreaKind.MISSED, AreaKind.OTHER_LABEL, AreaKind.FOUND,
    ]  # fmt: skip  # a spot of beds lies on the desk
    assert set(untouched.kinds.tolist()) == {AreaKind.MISSED}
