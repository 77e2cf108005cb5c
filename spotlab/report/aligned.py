"""Rows of texts set in columns, for terminals and for short forms of results."""

from __future__ import annotations

from collections.abc import Sequence


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
