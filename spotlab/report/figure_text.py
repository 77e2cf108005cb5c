"""Figures as text, rounded alike everywhere, and rows of texts in aligned columns."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spotlab.errors import counted

if TYPE_CHECKING:
    from spotlab.measures.intervals import Design, Difference, Interval
    from spotlab.measures.measure import Figure, MeasureSettings

UNDEFINED = "–"
DIGITS = {"": 3, "change": 3, "%": 1, "count": 0, "px²": 0}  # after the point, by unit
UNIT = {"queries": "query", "pages": "page"}


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
    """A difference with its sign and interval, and with its corrected p where it is tested.

    Examples
    --------
    >>> from spotlab.measures.intervals import Difference, Interval
    >>> written_difference(Difference(0.031, Interval(0.01, 0.052), 0.002, 0.004))
    '+.031 [.010, .052] p .004'
    >>> written_difference(Difference(1.0))
    '+1.000 [–]'
    """
    interval = difference.interval
    ends = () if interval is None else (interval.low, interval.high)
    decimals = _decimals(difference.value, *ends)
    value, *written_ends = (
        _rounded(each, unit, True, decimals) for each in (difference.value, *ends)
    )
    sign = "+" if difference.value > 0 and any(digit in value for digit in "123456789") else ""
    p = difference.p if difference.p_holm is None else difference.p_holm
    tested = "" if p is None else f" {written_p(p)}"
    return f"{sign}{value} [{', '.join(written_ends) or UNDEFINED}]{tested}"


def design_note(design: Design | None, what: str = "runs") -> str:
    """Return what is tested, over what, and for how many pairs; empty where nothing is.

    Examples
    --------
    >>> from spotlab.measures.intervals import Design
    >>> design_note(Design("f", "F", "queries", 36, 3))
    'p: F, over 36 queries, corrected by Holm for 3 pairs of runs. Other figures are not tested.'
    >>> design_note(Design("f", "F", "pages", 42, 1, "5 queries are too few"))
    'p: F, over 42 pages (5 queries are too few). Other figures are not tested.'
    """
    if design is None or not design.tests:
        return ""
    reason = f" ({design.reason})" if design.reason else ""
    many = f", corrected by Holm for {design.tests:,} pairs of {what}" if design.tests > 1 else ""
    units = counted(design.units, UNIT[design.over])
    return f"p: {design.title}, over {units}{reason}{many}. Other figures are not tested."


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


def hint(figure: Figure, settings: MeasureSettings | None = None) -> str:
    """Return what is shown where the pointer rests on a figure: its name, unit and definition."""
    units = {"%": ", in %", "count": ", a count", "px²": ", in px²"}
    unit = units.get(figure.unit, "")
    better = {1: " Higher is better.", -1: " Lower is better.", 0: ""}[figure.better]
    title, definition = html.escape(figure.titled(settings)), html.escape(figure.definition)
    paper = f"<p>Rusiñol &amp; Lladós: {html.escape(figure.paper)}</p>" if figure.paper else ""
    return f"<p><b>{title}</b>{unit}</p><p>{definition}{better}</p>{paper}"


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
