"""The order in which people expect numbered names."""

from __future__ import annotations

import re

from spotlab.formats.rows.numbers import whole_number

_DIGITS = re.compile(r"(\d+)")


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts plan_2 before plan_10.

    Examples
    --------
    >>> sorted(["plan_10", "Plan_2", "plan_1"], key=natural)
    ['plan_1', 'Plan_2', 'plan_10']
    """
    parts = _DIGITS.split(name.casefold())
    return tuple(_key(part) for part in parts if part)


def _key(part: str) -> tuple[int, int, str]:
    number = whole_number(part)
    return (1, 0, part) if number is None else (0, number, "")
