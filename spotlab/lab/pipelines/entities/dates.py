"""Finds dates in a text: with days, months and years, in numbers, and years by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_SHORT = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
# "May" alone is a verb as often as a month: months stand with a day or a year
_MONTH = rf"(?:{'|'.join(MONTHS)}|(?:{_SHORT})\b\.?)"
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:1[0-9]|20)\d\d"
_DATE = re.compile(
    rf"""\b(?:
        {_DAY}(?:\s+day)?(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?
      | {_MONTH}\s+{_DAY}\b(?!\s*[:.]\d)(?:\s*,?\s*{_YEAR})?
      | {_MONTH},?\s+{_YEAR}
      | {_YEAR}-[01]\d-[0-3]\d
      | {_DAY}\s?[./]\s?[01]?\d\s?[./]\s?(?:{_YEAR}|\d\d)
      | {_YEAR}(?!\s*[,.]\d)
    )(?!\w)""",
    re.VERBOSE,
)


def dates_in(text: str) -> Iterator[tuple[int, int]]:
    """Find dates.

    Parameters
    ----------
    text : str

    Returns
    -------
    iterator of (int, int)
        Start and end of each, in characters.

    Examples
    --------
    >>> text = "On the 4th of July, 1776, and May 1777; he may go on 4/7/76 or 1776-07-04, in 1801."
    >>> [text[start:end] for start, end in dates_in(text)]
    ['4th of July, 1776', 'May 1777', '4/7/76', '1776-07-04', '1801']
    """
    return (match.span() for match in _DATE.finditer(text))
