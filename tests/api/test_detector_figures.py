"""AR of the first spots, AP and AR by size: as pycocotools computes them of the same files."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab import evaluate
from spotlab.measures.figures import compute_figures
from spotlab.measures.intervals import page_columns
from spotlab.measures.measure import MeasureSettings
from tests.measures.tally_cases import box, tally_of

SIDE = 600
OURS = ("iou_precision_50_95", "iou_precision_small", "iou_precision_medium",
        "iou_precision_large", "average_recall_1", "average_recall_10", "average_recall_100",
        "average_recall_small", "average_recall_medium", "average_recall_large")  # fmt: skip
THEIRS = (0, 3, 4, 5, 6, 7, 8, 9, 10, 11)  # places in COCOeval.stats


def written_case(folder: Path, seed: int, crowds: float, levels: int = 1000) -> tuple[Path, Path]:
    """Boxes of all sizes on four pages, and detections near them and elsewhere."""
    random = np.random.default_rng(seed)
    regions: list[dict[str, Any]] = []
    for number in range(60):
        width, height = (float(each) for each in random.choice([12, 30, 32, 50, 96, 130], 2))
        left, top = (float(each) for each in random.integers(0, SIDE - 130, 2))
        regions.append({
            "id": number + 1, "image_id": int(random.integers(4)) + 1,
            "category_id": int(random.integers(3)) + 1, "bbox": [left, top, width, height],
            "area": width * height, "iscrowd": int(random.random() < crowds),
        })  # fmt: skip
    scores = iter((random.permutation(1000) % levels / levels).tolist())
    found = []
    for region in regions * 3:
        left, top, width, height = region["bbox"]
        grown = random.uniform(0.7, 1.4, 2)
        left, top = np.maximum(0, random.normal((left, top), 2)).tolist()
        width, height = (
            np.minimum(grown * (width, height), (SIDE - left, SIDE - top)).round(2).tolist()
        )
        found.append({
            "image_id": region["image_id"],
            "category_id": region["category_id"] if random.random() < 0.9 else 1,
            "bbox": [round(left, 2), round(top, 2), width, height], "score": next(scores),
        })  # fmt: skip
    images = [
        {"id": number, "file_name": f"p{number}.png", "width": SIDE, "height": SIDE}
        for number in range(1, 5)
    ]
    categories = [{"id": number, "name": name} for number, name in enumerate("abc", 1)]
    truth, results = folder / "truth.json", folder / "results.json"
    truth.write_text(
        json.dumps({"images": images, "categories": categories, "annotations": regions})
    )
    results.write_text(json.dumps(found))
    return truth, results


def by_pycocotools(truth: Path, results: Path) -> np.ndarray:
    """The twelve figures that it prints."""
    coco = pytest.importorskip("pycocotools.coco")
    cocoeval = pytest.importorskip("pycocotools.cocoeval")
    with contextlib.redirect_stdout(io.StringIO()):
        known = coco.COCO(str(truth))
        evaluation = cocoeval.COCOeval(known, known.loadRes(str(results)), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return evaluation.stats


@pytest.mark.parametrize("crowds", [0.0, 0.25])
@pytest.mark.parametrize("seed", range(4))
def test_the_same_as_pycocotools(tmp_path, seed, crowds):
    truth, results = written_case(tmp_path, seed, crowds)
    theirs = by_pycocotools(truth, results)[list(THEIRS)]
    means = evaluate(truth, results, primitive="box", draws=0).means().set_index("figure")["mean"]
    assert [means[name] for name in OURS] == pytest.approx(theirs.tolist(), abs=1e-9)
    assert theirs.min() > 0.02 and theirs.max() < 0.95  # the case says something


@pytest.mark.parametrize("seed", range(4))
def test_ties_are_broken_like_pycocotools_on_request(tmp_path, seed):
    """Pages in the order of their ids, whatever that of the file, and in it as in the file."""
    truth, results = written_case(tmp_path, seed, 0.1, levels=8)
    theirs = by_pycocotools(truth, results)[list(THEIRS)]
    found = [
        evaluate(truth, results, primitive="box", draws=0, ties=ties).means()
        for ties in ("file", "pages")
    ]
    by_file, by_page = (each.set_index("figure")["mean"] for each in found)
    assert [by_page[name] for name in OURS] == pytest.approx(theirs.tolist(), abs=1e-9)
    assert [by_file[name] for name in OURS] != pytest.approx(theirs.tolist(), abs=1e-9)


def test_by_hand():
    # one page, a small region of 10 × 10 px and a large one of 100 × 100, each found exactly; a
    # first spot on neither, of medium size
    regions = [("a", "p", box(0, 0, 10, 10)), ("a", "p", box(100, 100, 200, 200))]
    spots = [("a", "p", box(300, 300, 350, 350)), regions[0], regions[1]]
    tally = tally_of(spots, regions, {"p": 1e6})
    columns = compute_figures(tally).columns
    found = {name: columns[name].tolist() for name in OURS}
    assert found["average_recall_1"] == [0] and found["average_recall_10"] == [1]
    # of small regions only: the spot of medium size and that on the large region do not count
    assert found["iou_precision_small"] == [1] and found["iou_precision_large"] == [1]
    assert np.isnan(found["iou_precision_medium"]).all()
    assert found["average_recall_small"] == found["average_recall_large"] == [1]
    assert found["iou_precision_50_95"][0] == pytest.approx((51 * 2 / 3 + 50 * 2 / 3) / 101)


def test_thirds_of_all_regions():
    sides = [10, 20, 30, 40, 50, 60]
    regions = [("a", "p", box(100 * n, 0, 100 * n + side, side)) for n, side in enumerate(sides)]
    tally = tally_of(regions[:3], regions, {"p": 1e6})
    figures = compute_figures(tally, MeasureSettings(sizes="tertiles"))
    counts = [int(figures.lists.symbols_of(size).sum()) for size in ("small", "medium", "large")]
    assert counts == [2, 2, 2]
    recalls = [
        figures.columns[f"average_recall_{size}"][0] for size in ("small", "medium", "large")
    ]
    assert recalls == [1, 0.5, 0]


@pytest.mark.parametrize("seed", range(3))
def test_leaving_a_page_out_is_evaluating_the_others(tmp_path, seed):
    random = np.random.default_rng(seed)
    pages = ("p", "q", "r", "s")

    def drawn(count):
        for _ in range(count):
            left, top = (float(each) for each in random.integers(0, 200, 2))
            side = float(random.choice([20, 60, 120]))
            yield "a", str(random.choice(pages)), box(left, top, left + side, top + side)

    regions = list(drawn(14))
    spots = [(q, p, [(x + 2, y + 1) for x, y in ring]) for q, p, ring in regions] + list(drawn(10))
    spots = [spots[place] for place in random.permutation(len(spots))]
    columns = page_columns(compute_figures(tally_of(spots, regions, dict.fromkeys(pages, 1e5))))
    for row, without in enumerate([None, *pages]):
        there = [page for page in pages if page != without]
        kept = [[each for each in placed if each[1] in there] for placed in (spots, regions)]
        figures = compute_figures(tally_of(*kept, dict.fromkeys(there, 1e5), ["a"]))
        for name in OURS:
            assert columns[name][row] == pytest.approx(figures.columns[name], abs=1e-9, nan_ok=True)
