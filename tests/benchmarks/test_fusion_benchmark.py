"""Fusing 12 lists of 100,000 items beside ranx in the same run, and all fusions of one search.

ranx has its `Run` objects in memory and is timed from `fuse` to the fused `Run`, compiled by an
earlier call on small lists. Ours are ranked lists of positions and scores; the clock takes in
aligning them, fusing, and sorting the result. The scores of both are compared.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from spotlab.model.ranked_list import RankedList
from spotlab.ranking.fusion import Choices, Evidence, FeatureScores, fusions, stack_lists
from tests.ranking.fusion_cases import evidence, features

LISTS, ITEMS = 12, 100_000
KNOWN = fusions()


def several(items: int, seed: int = 0) -> list[RankedList]:
    """Lists of which each has found nine items in ten."""
    random = np.random.default_rng(seed)
    scores = random.random((LISTS, items))
    scores[random.random(scores.shape) < 0.1] = np.nan
    return [RankedList.ordered(f"list {at}", row) for at, row in enumerate(scores)]


def runs(ranx: Any, lists: list[RankedList]) -> list[Any]:
    """The same for ranx, of one query."""
    return [
        ranx.Run({"q": dict(zip(map(str, one.item.tolist()), one.score.tolist(), strict=True))})
        for one in lists
    ]


def fuse_lists(name: str, lists: list[RankedList], items: int) -> RankedList:
    found = Evidence(
        np.full(items, np.nan), None, stack_lists(lists, items), np.ones(items, dtype=bool),
        ranked=tuple(lists),
    )  # fmt: skip
    return RankedList.ordered(name, KNOWN[name].fuse(found, Choices()))


@pytest.fixture(scope="module")
def many() -> Iterator[list[RankedList]]:
    """Twelve lists of a hundred thousand items, as all tests fuse them."""
    yield several(ITEMS)
    gc.collect()


@pytest.fixture(scope="module")
def of_ranx(many: list[RankedList]) -> list[Any]:
    """The same lists for ranx, which takes longer to make than to fuse them."""
    return runs(pytest.importorskip("ranx", reason="ranx is not installed"), many)


@pytest.mark.parametrize(
    ("name", "theirs"), [("combsum", "sum"), ("combmnz", "mnz"), ("combanz", "anz")]
)
def test_twelve_lists_beside_ranx(
    benchmark: Any, many: list[RankedList], of_ranx: list[Any], name: str, theirs: str
) -> None:
    import ranx  # noqa: PLC0415 - need not be there

    ranx.fuse(runs(ranx, several(50)), norm=None, method=theirs)
    gc.collect()
    start = time.perf_counter()
    expected = ranx.fuse(of_ranx, norm=None, method=theirs)
    seconds = time.perf_counter() - start
    ours = benchmark.pedantic(lambda: fuse_lists(name, many, ITEMS), rounds=7, warmup_rounds=1)
    scores = expected.to_dict()["q"]
    assert len(scores) == len(ours)
    found = [scores[str(item)] for item in ours.item.tolist()]
    np.testing.assert_allclose(found, ours.score, rtol=1e-9)
    benchmark.extra_info["ranx s"] = round(seconds, 2)
    ratio = seconds / np.median(benchmark.stats.stats.data)
    benchmark.extra_info["times faster than ranx"] = round(ratio, 1)


@pytest.mark.parametrize("name", ["borda", "reciprocal_rank", "ml"])
def test_twelve_lists(benchmark: Any, many: list[RankedList], name: str) -> None:
    benchmark.pedantic(lambda: fuse_lists(name, many, ITEMS), rounds=5, warmup_rounds=1)


@pytest.mark.parametrize("items", [1000, 1500])
def test_all_fusions_of_a_new_search(benchmark: Any, items: int) -> None:
    """Nothing is remembered: the neighbours are searched in the time measured."""
    rows = features(items + 1, kinds=60, size=96).astype(np.float32)
    lists = evidence(items, lists=12).lists
    query = (rows[1:] @ rows[0]).astype(float)

    def new() -> tuple[tuple[Evidence], dict[str, Any]]:
        return (Evidence(query, FeatureScores(rows[1:]), lists, query > 0),), {}

    def fuse_all(found: Evidence) -> None:
        for fusion in KNOWN.values():
            fusion.fuse(found, Choices(at_least=0.3))

    benchmark.pedantic(fuse_all, setup=new, rounds=15, warmup_rounds=1)


@pytest.mark.parametrize("name", sorted(name for name in KNOWN if KNOWN[name].needs == "between"))
def test_again_with_other_choices(benchmark: Any, name: str) -> None:
    """As under a slider: 1,500 items whose neighbours are known."""
    found = evidence(1500)
    KNOWN[name].fuse(found, Choices())
    benchmark.pedantic(
        lambda: KNOWN[name].fuse(found, Choices(top=8, at_least=0.4)), rounds=15, warmup_rounds=1
    )


def test_a_judgement_of_ten_thousand_items(benchmark: Any) -> None:
    rows = features(10_000, kinds=300, size=96).astype(np.float32)
    query = (rows @ rows[0]).astype(float)
    found = Evidence(query, FeatureScores(rows), np.zeros((0, 10_000)), query > 0)
    judged = np.zeros(10_000, dtype=bool)
    judged[np.argsort(-query)[40:50]] = True
    again = Choices(at_least=0.3, relevant=judged)
    benchmark.pedantic(lambda: KNOWN["cr"].fuse(found, again), rounds=15, warmup_rounds=1)
