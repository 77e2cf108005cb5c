"""Area precision and recall against several annotators: by hand, and against counted pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.errors import BadInput
from spotlab.formats.runs import ReadRun
from spotlab.geometry.polygon import Outlines
from spotlab.measures.agreement import DEFINITIONS
from spotlab.measures.figures import compute_figures
from spotlab.model import Page, Region, Run, Truth
from spotlab.studies.annotators.agreement import AnnotatorStudy, measure_annotators
from spotlab.studies.tally.tallying import tally
from spotlab.studies.tally.truth import TruthSet

Box = tuple[int, int, int, int]
Drawn = Mapping[str, Sequence[tuple[str, Box]]]  # by page: labels and boxes

SIDE = 12


def ring(box: Box) -> list[tuple[float, float]]:
    left, top, right, bottom = map(float, box)
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def annotator(drawn: Drawn) -> TruthSet:
    """The pages are those that are named; one without boxes has been seen."""
    return TruthSet(
        {
            page: Truth(
                Page(Path(f"{page}.png"), SIDE, SIDE),
                tuple(Region(tuple(ring(box)), label) for label, box in boxes),
            )
            for page, boxes in drawn.items()
        }
    )


def run_of(spots: Sequence[tuple[str, str, Box]]) -> ReadRun:
    """Query, page and box of each, in order of rank."""
    outlines = Outlines.of([ring(box) for _, _, box in spots])
    rank = np.arange(1.0, len(spots) + 1)
    queries, pages = [query for query, _, _ in spots], [page for _, page, _ in spots]
    return ReadRun(Run.ordered("run", queries, pages, outlines, rank=rank))


def study(spots: Sequence[tuple[str, str, Box]], *drawn: Drawn, **options: float) -> AnnotatorStudy:
    named = {f"annotator {number}": annotator(each) for number, each in enumerate(drawn)}
    return measure_annotators(named, [run_of(spots)], **options)  # type: ignore[arg-type]


def test_two_rectangles_by_hand() -> None:
    """Ten px wide: one annotator marks 0…6, the other 4…10; retrieved are 2…6, then 6…8."""
    found = study(
        [("a", "p", (2, 0, 6, 1)), ("a", "p", (6, 0, 8, 1))],
        {"p": [("a", (0, 0, 6, 1))]},
        {"p": [("a", (4, 0, 10, 1))]},
    )
    figures = found.runs[0].figures.at_spots()
    # r: 0…4 ½, 4…6 1, 6…10 ½; ∫ r = 6; retrieved 4 with ∫ r = 1 + 2, then 6 with 3 + 1
    expected = {
        "expected_precision": [3 / 4, 4 / 6],
        "expected_recall": [3 / 6, 4 / 6],
        # own precisions 4/4 and 2/4, then 4/6 and 4/6; recalls 4/6 and 2/6, then 4/6 and 4/6
        "mean_precision": [3 / 4, 4 / 6],
        "mean_recall": [1 / 2, 4 / 6],
        "precision_spread": [1 / 4, 0],
        "recall_spread": [1 / 6, 0],
        "every_precision": [2 / 4, 2 / 6],
        "every_recall": [1, 1],
        "any_precision": [1, 1],
        "any_recall": [4 / 10, 6 / 10],
        "expected_f": [2 * 3 / (6 + 4), 2 * 4 / (6 + 6)],
    }
    for name, values in expected.items():
        assert figures[name] == pytest.approx(values), name
    assert list(figures) == list(DEFINITIONS)
    whole = found.runs[0].figures
    assert whole.of_queries()["expected_recall"] == pytest.approx([4 / 6])
    assert whole.pooled()["expected_recall"] == pytest.approx(4 / 6)
    assert whole.mean()["any_recall"] == pytest.approx(6 / 10)


def test_the_two_kinds_of_mean_recall_differ_where_annotators_mark_different_amounts() -> None:
    """A small region found whole and a large one missed but for it."""
    found = study(
        [("a", "p", (0, 0, 2, 1))],
        {"p": [("a", (0, 0, 2, 1))]},
        {"p": [("a", (0, 0, 8, 1))]},
    )
    figures = found.runs[0].figures.pooled()
    assert figures["expected_recall"] == pytest.approx(2 / 5)
    assert figures["mean_recall"] == pytest.approx((1 + 1 / 4) / 2)
    assert figures["recall_spread"] == pytest.approx(3 / 8)
    assert figures["mean_precision"] == figures["expected_precision"] == pytest.approx(1)


def test_who_has_not_seen_a_page_says_nothing_of_it() -> None:
    """On page q only the first has been; its share there is 1, not ½."""
    spots = [("a", "p", (0, 0, 4, 1)), ("a", "q", (0, 0, 4, 1))]
    first: Drawn = {"p": [("a", (0, 0, 4, 1))], "q": [("a", (0, 0, 2, 1))]}
    unseen = study(spots, first, {"p": []}).runs[0].figures
    assert unseen.seen.tolist() == [[True, True], [True, False]]
    assert unseen.pooled()["expected_precision"] == pytest.approx((2 + 2) / 8)
    assert unseen.pooled()["expected_recall"] == pytest.approx(4 / (2 + 2))
    assert [areas.pooled("precision") for areas in unseen.own] == pytest.approx([6 / 8, 0])
    assert unseen.pooled()["every_precision"] == pytest.approx(2 / 8)
    # seen and found empty is something else
    empty = study(spots, first, {"p": [], "q": []}).runs[0].figures
    assert empty.pooled()["expected_precision"] == pytest.approx((2 + 1) / 8)
    assert empty.pooled()["every_precision"] == 0


def test_one_annotator_gives_area_precision_and_recall() -> None:
    spots = [("a", "p", (0, 0, 5, 5)), ("b", "p", (3, 3, 9, 9)), ("a", "p", (2, 2, 8, 8))]
    drawn: Drawn = {"p": [("a", (1, 1, 6, 6)), ("a", (4, 4, 7, 9)), ("c", (0, 0, 1, 1))]}
    figures = study(spots, drawn).runs[0].figures
    truths = annotator(drawn).truths
    plain = compute_figures(tally(run_of(spots).run, truths, {"p": "p"}))
    assert figures.tally.queries == plain.tally.queries
    found = figures.at_spots()
    for kind in ("expected", "mean", "every", "any"):
        for measure, values in (("precision", plain.precision), ("recall", plain.recall)):
            np.testing.assert_allclose(found[f"{kind}_{measure}"], values, err_msg=kind)
        np.testing.assert_allclose(found[f"{kind}_f"], plain.f)
    assert np.nanmax(found["precision_spread"]) == np.nanmax(found["recall_spread"]) == 0
    np.testing.assert_allclose(
        figures.of_queries()["expected_recall"], plain.columns["area_recall"]
    )


def test_annotators_who_draw_alike_count_as_one() -> None:
    spots = [("a", "p", (0, 0, 5, 5)), ("a", "p", (2, 2, 8, 8))]
    drawn: Drawn = {"p": [("a", (1, 1, 6, 6)), ("a", (4, 4, 7, 9))]}
    alone, three = study(spots, drawn), study(spots, drawn, drawn, drawn)
    before, after = (each.runs[0].figures.at_spots() for each in (alone, three))
    for name, values in after.items():
        np.testing.assert_allclose(values, before[name], atol=1e-12, err_msg=name)
    pair = three.pair(2, 0)
    assert pair is not None
    assert (pair.pooled("precision"), pair.pooled("recall")) == pytest.approx((1, 1))


def test_agreement_is_each_annotator_as_a_run() -> None:
    found = study(
        [],
        {"p": [("a", (0, 0, 6, 1))], "q": [("b", (0, 0, 1, 1))]},
        {"p": [("a", (4, 0, 8, 1))]},
        {"q": []},
    )
    first, second = found.pair(0, 1), found.pair(1, 0)
    assert first is not None
    assert second is not None
    assert (first.pooled("precision"), first.pooled("recall")) == pytest.approx((2 / 6, 2 / 4))
    assert (second.pooled("precision"), second.pooled("recall")) == pytest.approx((2 / 4, 2 / 6))
    assert first.pooled("f") == pytest.approx(2 * 2 / 10) == second.pooled("f")
    assert found.pair(1, 2) is None  # no page in common
    assert found.pair(1, 1) is None
    nothing = found.pair(2, 0)
    assert nothing is not None
    assert np.isnan(nothing.pooled("precision"))
    assert nothing.pooled("recall") == 0
    assert study([], {"p": []}).agreement == (None,)


def test_a_page_of_two_sizes_is_refused() -> None:
    other = TruthSet({"p": Truth(Page(Path("p.png"), 99, SIDE))})
    with pytest.raises(BadInput, match=r"page p has 99 × 12 px, but 12 × 12 px"):
        measure_annotators({"one": annotator({"p": []}), "two": other})


def test_annotators_without_a_common_page_and_spots_elsewhere_are_told() -> None:
    found = study([("a", "r", (0, 0, 1, 1))], {"p": [("", (0, 0, 1, 1))]}, {"q": []})
    assert found.remarks == (
        "annotator 0: 1 of 2 pages, 1 region, 1 of them left out because they have no label",
        "annotator 1: 1 of 2 pages, 0 regions",
        "no page has been seen by two annotators; check that page names are the same for all",
    )
    assert [(each.page, each.spots) for each in found.runs[0].left_out] == [("r", 1)]
    pooled = found.runs[0].figures.pooled()
    assert all(np.isnan(pooled[name]) for name in DEFINITIONS)


def test_holes_of_what_is_agreed_on_are_holes() -> None:
    """A ring of boxes around (4, 4)–(8, 8), and one box over all of it."""
    frame = [(0, 0, 12, 4), (0, 8, 12, 12), (0, 4, 4, 8), (8, 4, 12, 8)]
    found = study(
        [("a", "p", (2, 2, 10, 10))],
        {"p": [("a", box) for box in frame]},
        {"p": [("a", (0, 0, 12, 12))]},
    )
    figures = found.runs[0].figures.pooled()
    assert figures["every_precision"] == pytest.approx(48 / 64)
    assert figures["every_recall"] == pytest.approx(48 / 128)


boxes = st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 6), st.integers(1, 6)).map(
    lambda box: (box[0], box[1], min(box[0] + box[2], SIDE), min(box[1] + box[3], SIDE))
)
labels = st.sampled_from(["a", "b"])
page_names = st.sampled_from(["p", "q"])
drawings = st.dictionaries(page_names, st.lists(st.tuples(labels, boxes), max_size=3))
lists = st.lists(st.tuples(labels, page_names, boxes), min_size=1, max_size=5)


def counted(drawn: Drawn, label: str, page: str) -> np.ndarray:
    """Which pixels are covered."""
    mask = np.zeros((SIDE, SIDE), np.bool_)
    for name, (left, top, right, bottom) in drawn.get(page, []):
        mask[top:bottom, left:right] |= name == label
    return mask


@settings(max_examples=60, deadline=None)
@given(lists, st.lists(drawings, min_size=1, max_size=3))
def test_pixels_give_the_same(spots: list[tuple[str, str, Box]], drawn: list[Drawn]) -> None:
    seen = {page for each in drawn for page in each}
    found = study(spots, *drawn).runs[0].figures.at_spots()
    kept = [spot for query in "ab" for spot in spots if spot[0] == query and spot[1] in seen]
    assert len(found["expected_precision"]) == len(kept)
    for place, (query, _, _) in enumerate(kept):
        before = [spot for spot in kept[: place + 1] if spot[0] == query]
        retrieved = {
            p: counted({p: [(q, b) for q, n, b in before if n == p]}, query, p) for p in seen
        }
        by_hand = _by_hand(retrieved, query, drawn, seen)
        for name, value in by_hand.items():
            assert found[name][place] == pytest.approx(value, nan_ok=True, abs=1e-9), name


def _by_hand(
    retrieved: Mapping[str, np.ndarray], query: str, drawn: Sequence[Drawn], pages: set[str]
) -> dict[str, float]:
    sums = dict.fromkeys(("R", "r", "rR", "every", "everyR", "any", "anyR"), 0.0)
    own = np.zeros((3, len(drawn)))
    for page in pages:
        here = [number for number, each in enumerate(drawn) if page in each]
        masks = np.array([counted(drawn[number], query, page) for number in here])
        share, area = masks.mean(axis=0), retrieved[page]
        own[:, here] += [
            [(mask & area).sum() for mask in masks],
            [area.sum()] * len(here),
            [mask.sum() for mask in masks],
        ]
        for name, values in (("r", share), ("every", share == 1), ("any", share > 0)):
            sums[name] += values.sum()
            sums[f"{name}R"] += values[area].sum()
        sums["R"] += area.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        each = {"precision": own[0] / own[1], "recall": own[0] / own[2]}
    found = {}
    for name, values in each.items():
        known = values[~np.isnan(values)]
        found[f"mean_{name}"] = known.mean() if len(known) else np.nan
        found[f"{name}_spread"] = known.std() if len(known) else np.nan
    for name, key in (("expected", "r"), ("every", "every"), ("any", "any")):
        found[f"{name}_precision"] = sums[f"{key}R"] / sums["R"]
        found[f"{name}_recall"] = sums[f"{key}R"] / sums[key] if sums[key] else np.nan
    return found
