"""The order in which people expect numbered names."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"(\d+)")


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts plan_2 before plan_10.

    Examples
    --------
    >>> sorted(["plan_10", "Plan_2", "plan_1"], key=natural)
    ['plan_1', 'Plan_2', 'plan_10']
    """
    parts = _DIGITS.split(name.casefold())
    return tuple((0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts if p)
