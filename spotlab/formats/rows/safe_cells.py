"""Tables that a spreadsheet takes for texts and numbers only, whatever names are in them.

A spreadsheet runs a cell that begins with ``=``, ``+``, ``-`` or ``@`` as a formula, and names come
from files of anybody. A safe cell has an apostrophe before that, which spreadsheets take for the
mark of a text. It is not the default, since other programs take it for part of the name.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_wanted: ContextVar[bool] = ContextVar("safe_cells", default=False)
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


@contextmanager
def safe_cells() -> Iterator[None]:
    """Have all reports that are written meanwhile, in this thread, use the safe form."""
    token = _wanted.set(True)
    try:
        yield
    finally:
        _wanted.reset(token)


def are_wanted() -> bool:
    """Whether reports use the safe form now."""
    return _wanted.get()


def safe_cell(text: str) -> str:
    """The cell, with an apostrophe before what a spreadsheet would run.

    Examples
    --------
    >>> [safe_cell(text) for text in ("sofa", "=1+1", "-0.5", "-sofa", "+1e-5", "@x")]
    ['sofa', "'=1+1", '-0.5', "'-sofa", '+1e-5', "'@x"]
    """
    if not text.lstrip(" ").startswith(_FORMULAS):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text  # a number below 0, which stays one


def safe_csv(text: str) -> str:
    r"""The same table with safe cells.

    Examples
    --------
    >>> safe_csv('run,f\n"=HYPERLINK(1,2)",-0.5\n')
    'run,f\n"\'=HYPERLINK(1,2)",-0.5\n'
    """
    safe = io.StringIO()
    writer = csv.writer(safe, lineterminator="\n")
    rows = csv.reader(io.StringIO(text, newline=""))
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return safe.getvalue()
