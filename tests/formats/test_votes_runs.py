"""What several systems spotted becomes items by overlap, and truth by the same rule."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from spotlab.errors import BadInput
from spotlab.formats.votes import VoteTable, read_votes
from spotlab.formats.votes.spots import RegionOverlaps, cluster, match_truth, overlaps, shapes_of
from spotlab.geometry.polygon import Outlines
from spotlab.studies.systems.voters import read_systems
from tests.judging_files import box, points, write_run, write_truth

Box = tuple[float, float, float, float]
NAN = np.nan


def iou(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(width, 0) * max(height, 0)
    areas = [(each[2] - each[0]) * (each[3] - each[1]) for each in (one, other)]
    return shared / (sum(areas) - shared)


def outlines(boxes: list[Box]) -> Outlines:
    return Outlines.of([[(a, b), (c, b), (c, d), (a, d)] for a, b, c, d in boxes])


@st.composite
def regions(draw: st.DrawFn) -> tuple[list[Box], list[int]]:
    number = st.integers(0, 6)
    boxes = draw(
        st.lists(
            st.tuples(number, number, st.integers(1, 6), st.integers(1, 6)).map(
                lambda each: (each[0], each[1], each[0] + each[2], each[1] + each[3])
            ),
            max_size=8,
        )
    )
    return boxes, [draw(st.integers(0, 3)) for _ in boxes]


def average(boxes: list[Box], one: list[int], other: list[int]) -> float:
    return float(np.mean([iou(boxes[a], boxes[b]) for a in one for b in other]))


def plain_clusters(boxes: list[Box], system: list[int], threshold: float) -> list[list[int]]:
    """Average linkage as it is defined: look at all pairs of clusters again and again."""
    clusters = [[index] for index in range(len(boxes))]
    while True:
        able = [
            (-round(average(boxes, one, other), 9), one[0], other[0], one, other)
            for one, other in combinations(clusters, 2)
            if not {system[a] for a in one} & {system[b] for b in other}
            and average(boxes, one, other) >= threshold - 1e-12
        ]
        if not able:
            return clusters
        *_, one, other = min(able)
        rest = [each for each in clusters if each not in (one, other)]
        clusters = sorted([*rest, sorted(one + other)])


@settings(max_examples=150, deadline=None)
@given(given=regions(), threshold=st.sampled_from([0.2, 0.5, 0.9]))
def test_clusters_are_those_of_average_linkage(
    given: tuple[list[Box], list[int]], threshold: float
) -> None:
    boxes, system = given
    shapes = shapes_of(outlines(boxes))
    pairs = overlaps(shapes, shapes)
    found = cluster(pairs, system, threshold)
    groups = [np.flatnonzero(found == each).tolist() for each in range(found.max(initial=-1) + 1)]
    assert groups == plain_clusters(boxes, system, threshold)


def test_overlaps_are_those_of_boxes_and_of_crossing_rings() -> None:
    boxes: list[Box] = [(0, 0, 4, 4), (2, 0, 6, 4), (4, 0, 8, 4), (20, 20, 21, 21)]
    shapes = shapes_of(outlines(boxes))
    found = overlaps(shapes, shapes)
    pairs = {
        (a, b): v
        for a, b, v in zip(
            found.first.tolist(), found.second.tolist(), found.iou.tolist(), strict=True
        )
    }
    assert pairs[0, 1] == pytest.approx(1 / 3)
    assert (0, 2) not in pairs  # they only touch
    bow_tie = shapes_of(Outlines.of([[(0, 0), (4, 4), (4, 0), (0, 4)]]))
    assert overlaps(bow_tie, shapes[:1]).iou.tolist() == [0.5]
    assert len(overlaps(shapes[:0], shapes).iou) == 0


def test_a_true_region_takes_the_best_cluster_that_is_free() -> None:
    pairs = RegionOverlaps(
        np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([0.6, 0.8, 0.7, 0.1])
    )
    clusters = np.array([0, 1])
    assert match_truth(pairs, clusters, 3, 0.5).tolist() == [1, 0, -1]
    assert match_truth(pairs, np.array([0, 0]), 2, 0.5).tolist() == [0, -1]
    assert match_truth(pairs, clusters, 2, 0.75).tolist() == [1, -1]


def write_all(folder: Path) -> list[Path]:
    """Three systems on two pages; the truth knows p and q."""
    write_truth(folder / "truth", "p", box("sofa", 0, 0, 20, 20), box("sofa", 70, 70, 90, 90))
    write_truth(folder / "truth", "q", box("door", 0, 0, 10, 10))
    return [
        write_run(
            folder / "a.csv", ("sofa", "p", 0.9, points(0, 0, 20, 20)),
            ("sofa", "p.png", 0.8, points(40, 0, 50, 10)), ("sofa", "q", 0.1, points(0, 0, 9, 9)),
        ),
        write_run(
            folder / "b.csv", ("sofa", "p", 0.9, points(1, 0, 21, 20)),
            ("sofa", "p", 0.3, points(0, 1, 20, 21)),
        ),
        write_run(folder / "c.csv", ("bed", "p", 0.9, points(0, 0, 20, 20))),
    ]  # fmt: skip


def by_item(table: VoteTable) -> dict[str, list[float]]:
    truth = np.full(len(table), NAN) if table.truth is None else table.truth
    rows = np.column_stack([table.votes.dense(), truth]).tolist()
    return dict(zip(table.items, rows, strict=True))


def test_each_system_is_at_most_once_in_an_item(tmp_path: Path) -> None:
    table = read_votes(write_all(tmp_path))
    assert table.systems == ("a", "b", "c")
    np.testing.assert_equal(
        by_item(table),
        {
            "p/bed/1": [0, 0, 1, NAN],
            "p/sofa/1": [1, 1, 0, NAN],
            "p/sofa/2": [1, 0, 0, NAN],
            "p/sofa/3": [0, 1, 0, NAN],
            "q/sofa/1": [1, 0, 0, NAN],
        },
    )
    assert table.boxes is not None
    np.testing.assert_array_equal(table.boxes[1], [0.5, 0, 20.5, 20])


def test_truth_files_judge_by_the_same_rule(tmp_path: Path) -> None:
    runs = write_all(tmp_path)
    table = read_systems(runs, [tmp_path / "truth"])
    assert table.truth is not None
    truth = dict(zip(table.items, table.truth.tolist(), strict=True))
    assert truth == {"p/bed/1": 0, "p/sofa/1": 1, "p/sofa/2": 0, "p/sofa/3": 0, "q/sofa/1": 0}
    assert any("1 region of the truth" in remark for remark in table.remarks)
    more = read_systems(runs, [tmp_path / "truth"], missed=True)
    assert more.items[-2] == "p/sofa/4"
    np.testing.assert_array_equal(more.votes.rows([4]), [[0, 0, 0]])
    assert more.truth is not None
    assert more.truth[4] == 1
    assert not any("more" in remark for remark in more.remarks)


def test_the_order_of_systems_and_a_folder_of_runs_change_no_item(tmp_path: Path) -> None:
    runs = write_all(tmp_path)
    (tmp_path / "runs").mkdir()
    for run in runs:
        run.rename(tmp_path / "runs" / run.name)
    folder = read_systems(tmp_path / "runs", [tmp_path / "truth"])
    turned = read_systems(
        [tmp_path / "runs" / name for name in ("c.csv", "b.csv", "a.csv")], [tmp_path / "truth"]
    )
    assert folder.items == turned.items
    order = [turned.systems.index(name) for name in folder.systems]
    np.testing.assert_array_equal(folder.votes.dense(), turned.votes.dense()[:, order])


def test_pages_without_truth_are_left_out_and_told(tmp_path: Path) -> None:
    runs = write_all(tmp_path)
    other = write_run(tmp_path / "d.csv", ("sofa", "z", 1, points(0, 0, 5, 5)))
    table = read_systems([*runs, other], [tmp_path / "truth"])
    assert "z" not in table.pages
    assert any(remark.endswith("they have no truth: z") for remark in table.remarks)
    with pytest.raises(BadInput, match="'z': there is no such page"):
        read_systems(other, [tmp_path / "truth"])


def test_a_higher_threshold_parts_what_a_lower_joins(tmp_path: Path) -> None:
    write_all(tmp_path)
    runs = [tmp_path / "a.csv", tmp_path / "b.csv"]
    assert len(read_votes(runs, overlap=0.95)) == len(read_votes(runs)) + 1
    with pytest.raises(ValueError, match="overlap"):
        read_votes(runs, overlap=0)


def test_detections_in_shares_are_votes_where_images_say_how_large_pages_are(
    tmp_path: Path,
) -> None:
    """Folders of YOLO were taken for runs of TREC, whose ranks are wrong."""
    for system, scores in (("a", ".9"), ("b", ".8"), ("c", ".7")):
        folder = tmp_path / system / "labels"
        folder.mkdir(parents=True)
        for page in ("p1", "p2"):
            (folder / f"{page}.txt").write_text(f"0 .5 .5 .2 .2 {scores}\n1 .2 .2 .1 .1 {scores}\n")
    folders = [tmp_path / system for system in "abc"]
    with pytest.raises(BadInput, match="boxes are shares of the page, and the size of 'p1'"):
        read_votes(folders)
    (tmp_path / "b" / "images").mkdir()
    for page in ("p1", "p2"):
        Image.new("L", (400, 300)).save(tmp_path / "b" / "images" / f"{page}.png")
    table = read_votes(folders)
    assert table.systems == ("a", "b", "c") and len(table) == 4
