"""Average precision at IoU .5 of a million boxes, beside globox in the same run.

Each is timed from its own natural input, which is ready before the clock starts: globox has its
`AnnotationSet` of truth and of predictions in memory, and is timed from `COCOEvaluator` to the
average precision of each label; ours are arrays of box corners, scores and numbers of queries and
pages, in no order of score, and the clock takes in everything up to the precision of each query.
"""

from __future__ import annotations

import gc
import time
from typing import Any

import numpy as np
import pytest
from globox import Annotation, AnnotationSet, BoundingBox, COCOEvaluator

from spotlab.measures.box_precision import average_precision_of_boxes
from spotlab.measures.iou import match_pairs

PAGES, QUERIES, SPOTS, REGIONS = 5_000, 20, 10, 3  # spots and regions of each query on each page


def columns(seed: int = 0) -> tuple[Any, ...]:
    """A million spots near 300,000 regions, page by page and mixed on each page."""
    random = np.random.default_rng(seed)

    def cells(each: int) -> tuple[Any, Any]:
        query = np.tile(np.repeat(np.arange(QUERIES), each), PAGES)
        return query, np.repeat(np.arange(PAGES), QUERIES * each)

    region_query, region_page = cells(REGIONS)
    corner = random.uniform(0, 3000, (len(region_query), 2))
    regions = np.hstack([corner, corner + random.uniform(60, 180, corner.shape)])
    spot_query, spot_page = cells(SPOTS)
    cell = spot_page * QUERIES + spot_query
    about = cell * REGIONS + random.integers(0, REGIONS, len(cell))
    spots = regions[about] + random.uniform(-20, 20, (len(cell), 4))
    mixed = np.lexsort((random.random(len(cell)), spot_page))
    score = random.random(len(cell))
    return (
        spots[mixed], spot_query[mixed], spot_page[mixed], score,
        regions, region_query, region_page,
    )  # fmt: skip


def annotations(boxes: Any, query: Any, page: Any, score: Any = None) -> AnnotationSet:
    """The same for globox."""
    scores = [None] * len(boxes) if score is None else score.tolist()
    by_page: list[list[BoundingBox]] = [[] for _ in range(PAGES)]
    for box, label, of, confidence in zip(
        boxes.tolist(), query.tolist(), page.tolist(), scores, strict=True
    ):
        left, top, right, bottom = box
        by_page[of].append(
            BoundingBox(label=str(label), xmin=left, ymin=top, xmax=right, ymax=bottom,
                        confidence=confidence)
        )  # fmt: skip
    return AnnotationSet(
        Annotation(str(number), (3200, 3200), found) for number, found in enumerate(by_page)
    )


def test_a_million_boxes_beside_globox(benchmark: Any) -> None:
    given = columns()
    assert len(given[0]) == 1_000_000
    truth, predictions = annotations(*given[4:]), annotations(*given[:4])
    gc.collect()
    start = time.perf_counter()
    evaluator = COCOEvaluator(ground_truths=truth, predictions=predictions)
    theirs = evaluator.evaluate(iou_threshold=0.5, max_detections=1_000_000)
    seconds = time.perf_counter() - start
    expected = [theirs[str(query)].ap for query in range(QUERIES)]
    ours = benchmark.pedantic(lambda: average_precision_of_boxes(*given), rounds=7, warmup_rounds=1)
    assert ours == pytest.approx(expected, abs=1e-9)
    benchmark.extra_info["globox s"] = round(seconds, 2)
    ratio = seconds / np.median(benchmark.stats.stats.data)
    benchmark.extra_info["times faster than globox"] = round(ratio, 1)


def test_match_a_million_pairs(benchmark: Any) -> None:
    random = np.random.default_rng(0)
    spot = np.repeat(np.arange(500_000), 2)
    region = spot // 4 * 2 + np.tile([0, 1], 500_000)  # four spots want the same two regions
    iou = random.uniform(0.5, 1, len(spot))
    found = benchmark.pedantic(
        lambda: match_pairs(spot, region, iou, 500_000, 250_000), rounds=5, warmup_rounds=1
    )
    assert (found >= 0).sum() == 250_000
