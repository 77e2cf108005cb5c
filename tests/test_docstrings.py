"""The docstrings of the library tell what its functions take and give, and where they come from."""

from __future__ import annotations

import pytest

from tests.docstring_figures import FIGURES, THRESHOLDS, counted, definitions_in

COMPLETE = '''
def rotate(points: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """Rotate points about the origin.

    Parameters
    ----------
    points : (N, 2) float
        x, y in px.
    angle : float
        In degrees.

    Examples
    --------
    >>> rotate(np.zeros((1, 2)), 90).tolist()
    [[0.0, 0.0]]
    """
'''


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES)
def test_docstrings_reach_the_share_that_is_asked(figure: str) -> None:
    count = counted()[figure]
    assert count.percent >= THRESHOLDS[figure], "\n".join(count.missing)


@pytest.mark.parametrize(
    ("part", "figure"),
    [
        ("    angle : float\n        In degrees.\n", "parameters"),
        ("(N, 2)", "shapes or units"),
        (">>> ", "examples"),
    ],
)
def test_what_is_missing_is_noticed(part: str, figure: str) -> None:
    for source, missing in ((COMPLETE, ()), (COMPLETE.replace(part, ""), ("transform.rotate",))):
        parts = tuple(definitions_in(source, "geometry", "transform"))
        assert counted("geometry", parts)[figure].missing == missing
