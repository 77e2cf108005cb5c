"""Figures as text, rounded alike everywhere: three decimals, percent with one, counts whole."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spotlab.measures.bootstrap import Interval
    from spotlab.measures.figures import Figure
    from spotlab.measures.significance import Difference

UNDEFINED = "–"


def written(value: float | None, unit: str = "", *, mean: bool = False) -> str:
    """A figure; a dash where it is undefined.

    Parameters
    ----------
    value : float or None
        None and NaN are undefined.
    unit : str
        Of `Figure`: "", "%" or "count"; the column's head names it.
    mean : bool
        A mean of counts need not be whole.

    Examples
    --------
    >>> written(0.83149), written(1.0), written(float("nan"))
    ('.831', '1.000', '–')
    >>> written(0.004812)  # two digits at least: shares of whole pages are small
    '.0048'
    >>> written(93.24, "%"), written(1204, "count"), written(3.25, "count", mean=True)
    ('93.2', '1,204', '3.25')
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    if unit == "%":
        return f"{value:.1f}"
    if unit == "count":
        return f"{value:,.2f}" if mean else f"{value:,.0f}"
    if 1e-6 < abs(value) < 0.01:
        return _without_zero(f"{value:.{1 - math.floor(math.log10(abs(value)))}f}")
    return _without_zero(f"{value:.3f}")


def written_interval(interval: Interval | None, unit: str = "") -> str:
    """The interval in brackets, empty if there is none.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> written_interval(SimpleNamespace(low=0.71, high=0.9))
    '[.710, .900]'
    """
    if interval is None:
        return ""
    low, high = (written(end, unit, mean=True) for end in (interval.low, interval.high))
    return f"[{low}, {high}]"


def written_difference(difference: Difference, unit: str = "") -> str:
    """A difference with its sign, interval and p.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> written_difference(SimpleNamespace(value=0.031, low=0.01, high=0.052, p=0.004))
    '+.031 [.010, .052] p .004'
    """
    bounds = written_interval(difference, unit)
    return f"{signed(difference.value, unit)} {bounds} {written_p(difference.p)}"


def signed(value: float, unit: str = "") -> str:
    """A figure with its sign, a proper minus among them.

    Examples
    --------
    >>> signed(0.25), signed(-0.25), signed(0.0)
    ('+.250', '−.250', '.000')
    """
    text = written(abs(value), unit, mean=True)
    if not any(digit in text for digit in "123456789"):
        return text
    return ("−" if value < 0 else "+") + text


def written_p(p: float) -> str:
    """A significance.

    Examples
    --------
    >>> written_p(0.0004), written_p(0.04)
    ('p < .001', 'p .040')
    """
    return "p < .001" if p < 0.001 else f"p {_without_zero(f'{p:.3f}')}"


def written_area(area: float) -> str:
    """An area in px²."""
    return f"{area:,.0f} px²" if area >= 100 or area == 0 else f"{area:,.1f} px²"


def hint(figure: Figure) -> str:
    """What is shown where the pointer rests on a figure: its name, unit and definition."""
    unit = {"%": ", in %", "count": ", a count"}.get(figure.unit, "")
    better = {1: " Higher is better.", -1: " Lower is better.", 0: ""}[figure.better]
    return f"<p><b>{figure.title}</b>{unit}</p><p>{html.escape(figure.definition)}{better}</p>"


def _without_zero(text: str) -> str:
    negative = text.startswith("-")
    text = text.removeprefix("-")
    text = text.removeprefix("0") if text.startswith("0.") else text
    return f"−{text}" if negative and any(digit in text for digit in "123456789") else text
