"""Paints what only one of two runs found, both, or neither, in colours and hatching."""

from __future__ import annotations

from enum import IntEnum


class ComparedKind(IntEnum):
    """What a place is to two runs, A and B. Where queries differ, the higher kind is painted."""

    NOTHING = 0
    FALSE_BOTH = 1
    FALSE_FIRST = 2
    FALSE_SECOND = 3
    NEITHER = 4
    BOTH = 5
    FIRST = 6
    SECOND = 7


TRUTH_KINDS = (ComparedKind.FIRST, ComparedKind.SECOND, ComparedKind.BOTH, ComparedKind.NEITHER)
FALSE_KINDS = (ComparedKind.FALSE_FIRST, ComparedKind.FALSE_SECOND, ComparedKind.FALSE_BOTH)
