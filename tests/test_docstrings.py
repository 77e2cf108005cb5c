"""The docstrings of the library tell what its functions take and give, and where they come from."""

from __future__ import annotations

import pytest

from tests.docstring_figures import FIGURES, THRESHOLDS, counted


@pytest.mark.parametrize("figure", FIGURES)
def test_docstrings_reach_the_share_that_is_asked(figure: str) -> None:
    count = counted()[figure]
    assert count.percent >= THRESHOLDS[figure], "\n".join(count.missing)
