"""Which spaces are no rooms but parts of a passage: almost all around them are openings."""

from __future__ import annotations

from collections.abc import Sequence

from spotlab.imaging.rooms.closings import Closing
from spotlab.imaging.rooms.narrowings import Narrowings

_OPEN = 0.6  # share of a space's outline from which it is a part of a passage,
_ALL_OPEN = 0.9  # and which ends at no closing that continues a wall at both ends


def open_passages(
    spaces: Narrowings, closings: Sequence[Closing], weak: Sequence[Closing]
) -> tuple[Closing, ...]:
    """Leave out closings that cut a passage into pieces.

    A piece of a corridor between doors has hardly any wall of its own. It is joined with the space
    on the other side of a weak closing, the most open piece first. A closing that continues a wall
    at both ends is left out only where all around the piece is open.

    Parameters
    ----------
    spaces : Narrowings
        The free space, with everything closed.
    closings : sequence of Closing
        What is closed.
    weak : sequence of Closing
        Those of them that may be left out.

    Returns
    -------
    tuple of Closing
        Those that remain, in the same order.

    Examples
    --------
    >>> import numpy as np
    >>> nothing = Narrowings(np.zeros((40, 40), np.bool_), 5.0, ())
    >>> open_passages(nothing, (), ())
    ()
    """
    sides = {id(each): spaces.sides(each) for each in closings}
    labels = {label for pair in sides.values() for label in pair} - {0}
    around = {label: spaces.perimeter(label) for label in labels}
    closed = dict.fromkeys(around, 0.0)
    for each in closings:
        for label in set(sides[id(each)]) - {0}:
            closed[label] += each.length
    joined: dict[int, int] = {label: label for label in around}
    gone: set[int] = set()
    while True:
        best, most = None, 0.0
        for each in weak:
            one, other = (joined.get(label, 0) for label in sides[id(each)])
            if id(each) in gone or one == other or 0 in (one, other):
                continue
            if not (spaces.is_enclosed(one) and spaces.is_enclosed(other)):
                continue
            share = max(closed[one] / around[one], closed[other] / around[other])
            least = _ALL_OPEN if each.own_edge and each.other_edge else _OPEN
            if share > max(least, most):
                best, most = each, share
        if best is None:
            return tuple(each for each in closings if id(each) not in gone)
        gone.add(id(best))
        one, other = (joined[label] for label in sides[id(best)])
        around[one] += around[other] - 2 * best.length
        closed[one] += closed[other] - 2 * best.length
        joined = {label: one if to == other else to for label, to in joined.items()}
