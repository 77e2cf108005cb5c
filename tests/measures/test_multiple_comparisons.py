"""Holm's correction: published values, brute force by its definition, and what it promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.measures.significance import holm

SHARES = st.floats(0, 1)


def test_values_of_other_programs():
    # R: p.adjust(c(.01, .02, .03, .04, .05), "holm"), and statsmodels' multipletests
    assert holm([0.01, 0.02, 0.03, 0.04, 0.05]).tolist() == pytest.approx(
        [0.05, 0.08, 0.09, 0.09, 0.09]
    )
    # by hand: .004·4, .02·3, .03·2 (at least .06), .4
    assert holm([0.03, 0.004, 0.4, 0.02]).tolist() == pytest.approx([0.06, 0.016, 0.4, 0.06])
    assert holm([0.9, 0.8]).tolist() == [1, 1]
    assert holm([]).tolist() == [] and holm([0.04]).tolist() == [0.04]


@given(st.lists(SHARES, max_size=12), st.floats(0.001, 0.999))
def test_rejects_what_stepping_down_rejects(p, level):
    rejected = set()
    for step, place in enumerate(sorted(range(len(p)), key=lambda place: p[place])):
        if p[place] * (len(p) - step) > level:  # the first that is kept keeps all that follow
            break
        rejected.add(place)
    assert set(np.flatnonzero(holm(p) <= level).tolist()) == rejected


@given(st.lists(SHARES, min_size=1, max_size=12), st.randoms())
def test_order_does_not_matter_and_p_never_falls(p, random):
    found = holm(p)
    assert (found >= np.asarray(p)).all() and (found <= np.minimum(1, np.array(p) * len(p))).all()
    order = list(range(len(p)))
    random.shuffle(order)
    assert holm([p[place] for place in order]).tolist() == [found[place] for place in order]


def test_what_is_no_test_does_not_count():
    assert np.array_equal(holm([0.02, np.nan, 0.01]), [0.02, np.nan, 0.02], equal_nan=True)


def test_any_false_call_is_as_rare_as_the_level():
    random = np.random.default_rng(3)
    false = sum((holm(random.random(10)) <= 0.05).any() for _ in range(2000))
    assert 0.03 < false / 2000 < 0.065
