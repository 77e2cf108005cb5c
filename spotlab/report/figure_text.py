"""Figures as text, rounded alike everywhere, and rows of texts in aligned columns."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spotlab.measures.intervals import Difference, Interval
    from spotlab.measures.measure import Figure

UNDEFINED = "–"
DIGITS = {"": 3, "change": 3, "%": 1, "count": 0, "px²": 0}  # after the point, by unit


def written(value: float | None, unit: str = "", *, mean: bool = False) -> str:
    """A figure; a dash where it is undefined.

    Parameters
    ----------
    value : float or None
        None and NaN are undefined.
    unit : str
        Of `Figure`; the column's head names it.
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
    >>> written(0.05, "change"), written(-0.05, "change"), written(0.0, "change")
    ('+.050', '−.050', '.000')
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    return _rounded(value, unit, mean, _decimals(value))


def short_count(count: int) -> str:
    """A count in six characters at most: exact below 100,000, else three digits, rounded down.

    Examples
    --------
    >>> short_count(99_999), short_count(263_999), short_count(1_000_000), short_count(12_345_678)
    ('99,999', '263k', '1.00M', '12.3M')
    """
    if count < 100_000:
        return f"{count:,}"
    if count < 1_000_000:
        return f"{count // 1000}k"
    millions, rest = divmod(count, 1_000_000)
    decimals = max(3 - len(str(millions)), 0)
    return f"{millions:,}" + (f".{rest:06}"[: 1 + decimals] if decimals else "") + "M"


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
    decimals = _decimals(interval.low, interval.high)
    low, high = (_rounded(end, unit, True, decimals) for end in (interval.low, interval.high))
    return f"[{low}, {high}]"


def written_difference(difference: Difference, unit: str = "") -> str:
    """A difference with its sign, interval and p, and with the corrected p where there is one.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> alone = SimpleNamespace(value=0.031, low=0.01, high=0.052, p=0.004, p_holm=None)
    >>> written_difference(alone)
    '+.031 [.010, .052] p .004'
    >>> written_difference(SimpleNamespace(value=0, low=0, high=0.01, p=0.2, p_holm=1.0))
    '.000 [.000, .010] p .200, Holm 1.000'
    """
    decimals = _decimals(difference.value, difference.low, difference.high)
    value, low, high = (
        _rounded(each, unit, True, decimals)
        for each in (difference.value, difference.low, difference.high)
    )
    sign = "+" if difference.value > 0 and any(digit in value for digit in "123456789") else ""
    holm = difference.p_holm
    corrected = "" if holm is None else f", {written_p(holm).replace('p', 'Holm', 1)}"
    return f"{sign}{value} [{low}, {high}] {written_p(difference.p)}{corrected}"


def correction_note(tests: int) -> str:
    """Return what corrected significances are corrected for.

    Empty where there is nothing to correct.

    Examples
    --------
    >>> correction_note(12)
    'Holm: p corrected for all 12 comparisons listed here.'
    """
    return f"Holm: p corrected for all {tests:,} comparisons listed here." if tests > 1 else ""


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
    """Return what is shown where the pointer rests on a figure: its name, unit and definition."""
    units = {"%": ", in %", "count": ", a count", "px²": ", in px²"}
    unit = units.get(figure.unit, "")
    better = {1: " Higher is better.", -1: " Lower is better.", 0: ""}[figure.better]
    title, definition = html.escape(figure.title), html.escape(figure.definition)
    return f"<p><b>{title}</b>{unit}</p><p>{definition}{better}</p>"


def _decimals(*values: float) -> int:
    """Three, or more where the largest of these shares would keep fewer than two digits."""
    largest = max(map(abs, values))
    return 1 - math.floor(math.log10(largest)) if 1e-6 < largest < 0.01 else DIGITS[""]


def digits_of(unit: str, *, mean: bool = False) -> int:
    """Tell how many digits after the point a figure has; shares below .01 may have more.

    Examples
    --------
    >>> digits_of(""), digits_of("%"), digits_of("count"), digits_of("count", mean=True)
    (3, 1, 0, 2)
    """
    return 2 if mean and unit == "count" else DIGITS[unit]


def _rounded(value: float, unit: str, mean: bool, decimals: int) -> str:
    if unit not in ("", "change"):
        return f"{value:,.{digits_of(unit, mean=mean)}f}".replace("-", "−")
    text = _without_zero(f"{value:.{decimals}f}")
    signed = unit == "change" and value > 0 and any(digit in text for digit in "123456789")
    return f"+{text}" if signed else text


def _without_zero(text: str) -> str:
    if text.startswith("0."):  # most are
        return text[1:]
    negative = text.startswith("-")
    text = text.removeprefix("-")
    text = text.removeprefix("0") if text.startswith("0.") else text
    return f"−{text}" if negative and any(digit in text for digit in "123456789") else text


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines with columns: the first to the left, all others to the right.

    Examples
    --------
    >>> aligned([["", "mean"], ["Recall", ".5"]])
    ['        mean', 'Recall    .5']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text.rjust(width) if place else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
