"""What lies off the page is cut off for every figure, by both engines, and said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.geometry.coverage import Engine, areas
from spotlab.geometry.polygon import Outlines, as_points, clip_to_page, even_odd_geometry
from spotlab.measures.figures import compute_figures
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap, Tally
from spotlab.model import Page, Primitive, Region, Run, Truth
from spotlab.studies.evaluate.evaluation_json import as_json
from spotlab.studies.tally.tallying import tally
from tests.judging_files import box, command, judged, points, write_run, write_truth

WIDTH, HEIGHT = 60, 40
ENGINES = [Engine.REFERENCE, Engine.COMPILED]
QUICK = settings(max_examples=60, deadline=None)

near = st.integers(-30, 90)
far = st.sampled_from([-100_000, -(2**31), 100_000, 2**31 - 1, 1234567.891])
coordinate = st.one_of(near, near.map(float), st.floats(-90, 150), far)
ring = st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=7).filter(
    lambda points: len(as_points(points)) >= 3
)
ring_near = st.lists(st.tuples(near, near), min_size=3, max_size=7)
placed = st.lists(st.tuples(st.sampled_from("ab"), ring), min_size=1, max_size=6)


def tally_of(
    spots: list[tuple[str, list[tuple[float, float]]]],
    regions: list[tuple[str, list[tuple[float, float]]]],
    engine: Engine,
    primitive: Primitive | None = None,
) -> Tally:
    truth = Truth(
        Page(Path("page.png"), WIDTH, HEIGHT),
        tuple(Region(tuple(at), label, f"r{n}") for n, (label, at) in enumerate(regions)),
    )
    run = Run.ordered(
        "system",
        [query for query, _ in spots],
        ["page"] * len(spots),
        Outlines.of([at for _, at in spots]),
        rank=np.arange(len(spots), dtype=float),
    )
    return tally(run, {"page": truth}, {"page": "page"}, primitive=primitive, engine=engine)


@QUICK
@given(st.lists(ring_near, min_size=1, max_size=5))
def test_what_is_left_is_what_lies_on_the_page(rings: list[list[tuple[int, int]]]) -> None:
    outlines = Outlines.of(rings)
    clipped = clip_to_page(outlines, (WIDTH, HEIGHT))
    page = shapely.box(0, 0, WIDTH, HEIGHT)
    wanted = [even_odd_geometry(outlines[n]).intersection(page).area for n in range(len(outlines))]
    for engine in ENGINES:
        assert areas(clipped, engine) == pytest.approx(wanted, abs=1e-9 * WIDTH * HEIGHT)
    assert (clipped.points >= 0).all()
    assert (clipped.points <= (WIDTH, HEIGHT)).all()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@QUICK
@given(placed, placed)
def test_shares_are_shares_whatever_the_spots(engine, spots, regions) -> None:
    figures = compute_figures(tally_of(spots, regions, engine))
    for values in (figures.precision, figures.recall, figures.fall_out, figures.f):
        defined = values[~np.isnan(values)]
        assert ((defined >= 0) & (defined <= 1)).all()
    for values in (figures.mean, figures.pooled):
        for name in ("area_precision", "area_recall", "fall_out", "generality"):
            assert values[name] is None or 0 <= values[name] <= 1


@QUICK
@given(placed, placed)
def test_engines_agree_off_the_page(spots, regions) -> None:
    one, other = (tally_of(spots, regions, engine) for engine in ENGINES)
    for name in ("area", "gained_area", "gained_true_area", "truth_area", "region_area"):
        found, wanted = getattr(one, name), getattr(other, name)
        assert np.abs(found - wanted).max(initial=0) <= 1e-6, name  # px², of a page of 2,400


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("overlap", list(Overlap))
@pytest.mark.parametrize("primitive", [None, Primitive.BOX, Primitive.HULL, Primitive.ISOTHETIC])
def test_a_box_round_everything_is_the_page(
    engine: Engine, overlap: Overlap, primitive: Primitive | None
) -> None:
    huge = [(-1e5, -1e5), (1e5, -1e5), (1e5, 1e5), (-1e5, 1e5)]
    half = [(-20, 0), (20, 0), (20, 10), (-20, 10)]  # its right half is on the page
    found = tally_of([("a", huge)], [("a", half)], engine, primitive)
    figures = compute_figures(found, MeasureSettings(overlap))
    assert found.area.tolist() == [WIDTH * HEIGHT]
    assert figures.truth.tolist() == [200]
    assert figures.fall_out.tolist() == [1]
    assert figures.recall.tolist() == [1]
    assert figures.precision.tolist() == [pytest.approx(200 / (WIDTH * HEIGHT))]


def test_spots_and_regions_off_the_page_are_told(tmp_path: Path, capsys) -> None:
    write_truth(tmp_path / "truth", "one", box("sofa", 90, 10, 130, 30), box("sofa", 0, 40, 9, 49))
    run = write_run(
        tmp_path / "run.csv",
        ("sofa", "one", 0.9, points(-100000, -100000, 100000, 100000)),
        ("sofa", "one", 0.8, points(120, 10, 140, 30)),
        ("sofa", "one", 0.7, points(0, 0, 100, 100)),
    )
    evaluation = judged(tmp_path / "truth", run)
    of_run = evaluation.runs[0]
    assert of_run.figures.mean["fall_out"] == 1
    remarks = "\n".join(of_run.remarks)
    assert "1 spot partly off the page; only what lies on it counts: line 2" in remarks
    assert "1 spot wholly off the page; nothing of them counts: line 3" in remarks
    assert "line 3: a spot wholly off the page" in of_run.listed
    assert "1 truth region beyond the page's edges" in "\n".join(evaluation.remarks)
    notes = as_json(evaluation)["runs"][0]["notes"]
    assert [spot["line"] for spot in notes["partly_off_page"]] == [2]
    assert [spot["line"] for spot in notes["wholly_off_page"]] == [3]
    assert command("evaluate", "--truth", tmp_path / "truth", "--run", run, "--draws", 0) == 0
    assert "1 spot partly off the page" in capsys.readouterr().out
