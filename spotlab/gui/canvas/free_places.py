"""Finds places for small boxes in a window so that none covers another: the first free one each."""

from __future__ import annotations

import math
from collections.abc import Iterable

_CELL = 4  # px; places are free or taken in cells of this size

Place = tuple[float, float]


class FreePlaces:
    """A window in which places are taken one after the other.

    Parameters
    ----------
    width, height : float
        Of the window in px.

    Examples
    --------
    >>> places = FreePlaces(100, 50)
    >>> places.take([(10, 10)], 30, 12), places.take([(20, 12), (20, 30)], 30, 12)
    ((10, 10), (20, 30))
    >>> print(places.take([(20, 12)], 30, 12))
    None
    """

    def __init__(self, width: float, height: float) -> None:
        self._rows = [0] * (math.ceil(max(height, 1) / _CELL) + 1)  # a bit for each taken cell

    def take(
        self, places: Iterable[Place], width: float, height: float, *, always: bool = False
    ) -> Place | None:
        """Take the first of these places that is free.

        Parameters
        ----------
        places : iterable of (x, y)
            Upper left corners in px, the best one first.
        width, height : float
            Of the box in px.
        always : bool
            Whether the first place is taken where none is free.

        Returns
        -------
        (x, y) or None
            None where no place is free.
        """
        first = None
        for place in places:
            if self._take(place, width, height, always=False):
                return place
            first = first or place
        if always and first is not None:
            self._take(first, width, height, always=True)
            return first
        return None

    def _take(self, place: Place, width: float, height: float, *, always: bool) -> bool:
        x, y = place
        left, top = int(x) // _CELL if x > 0 else 0, int(y) // _CELL if y > 0 else 0
        right, bottom = math.ceil((x + width) / _CELL), math.ceil((y + height) / _CELL)
        cells = ((1 << max(right - left, 0)) - 1) << left
        rows = self._rows
        if not always:
            for row in rows[top:bottom]:
                if row & cells:
                    return False
        for at in range(top, min(bottom, len(rows))):
            rows[at] |= cells
        return True
