"""Whether bridging strokes and taking walls away finds more symbols, as curves."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from spotlab.errors import SpotlabError
from spotlab.lab.draw.plans.options import CLEAN
from spotlab.lab.reproduce.symbols.symbol_robustness import (
    Robustness,
    RobustnessPoint,
    measure_robustness,
)

pytestmark = pytest.mark.slow

SMALL = replace(CLEAN, width=1400, height=1000)


@pytest.fixture(scope="module")
def measured() -> Robustness:
    return measure_robustness(1, (3,), ["d"], gaps=(0, 4), touching=(1,), options=SMALL)


def test_mending_finds_what_broken_strokes_lose(measured: Robustness) -> None:
    whole, mended = measured.curves[0], measured.curves[1]
    assert (whole.damage, whole.method, whole.mended) == ("gaps", "d", False)
    assert (mended.damage, mended.method, mended.mended) == ("gaps", "d", True)
    assert whole.amounts == mended.amounts == (0, 4)
    assert whole.recall[0] is not None
    assert whole.recall[1] is not None
    assert mended.recall[1] is not None
    assert whole.recall[1] < whole.recall[0] - 0.2
    assert mended.recall[1] > whole.recall[1] + 0.15


def test_each_amount_has_a_point_for_both_ways(measured: Robustness) -> None:
    assert [(each.damage, each.amount, each.mended) for each in measured.points] == [
        ("gaps", 0, False),
        ("gaps", 0, True),
        ("gaps", 4, False),
        ("gaps", 4, True),
        ("touching", 1, False),
        ("touching", 1, True),
    ]
    assert [each.damage for each in measured.curves] == ["gaps", "gaps", "touching", "touching"]
    assert measured.pages == 1
    assert "sofa" in measured.models
    points = json.loads(json.dumps(measured.as_json))["points"]
    assert points[0]["recall"] == measured.points[0].recall


def test_it_is_the_same_again(measured: Robustness) -> None:
    again = measure_robustness(1, (3,), ["d"], gaps=(4,), touching=(), options=SMALL)
    assert again.points == measured.points[2:4]


def test_shares_of_nothing_are_undefined() -> None:
    point = RobustnessPoint("gaps", 0.0, "d", False, 0, 0, 0, None, None)
    assert point.recall is None
    assert point.precision is None


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(SpotlabError, match="no method"):
        measure_robustness(1, (3,), ["nobody's"])
