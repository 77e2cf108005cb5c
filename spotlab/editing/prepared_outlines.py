"""Outlines of a page's regions as a journal has them, made before a step has to wait for them."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter, is_

import msgspec

from spotlab.model import Region

_points = attrgetter("points")


class PreparedOutlines:
    """Outlines as JSON, by the place of the region on the page.

    A region that is another one by then, or stands elsewhere, is turned into JSON when it is asked
    for: regions may be any, what was prepared only saves time.

    Parameters
    ----------
    regions : sequence of Region
        In the order of the page.

    Examples
    --------
    >>> squares = [Region(((0, 0), (side, 0), (side, side))) for side in (1, 2)]
    >>> PreparedOutlines(squares).column(squares[1:], [1])
    b'[[[0.0,0.0],[2.0,0.0],[2.0,2.0]]]'
    """

    def __init__(self, regions: Sequence[Region] = ()) -> None:
        self._outlines = list(map(_points, regions))
        self._texts = list(map(msgspec.json.encode, self._outlines))

    def column(self, regions: Sequence[Region], places: Sequence[int]) -> bytes:
        """The outlines of regions as a JSON list.

        Parameters
        ----------
        regions : sequence of Region
        places : sequence of int
            Where they stand, or stood, on the page.
        """
        outlines, prepared, texts = list(map(_points, regions)), self._outlines, self._texts
        if max(places, default=0) >= len(prepared):
            return msgspec.json.encode(outlines)
        known = list(map(is_, outlines, [prepared[at] for at in places]))
        column = [texts[at] for at in places]
        for at, same in enumerate(known) if not all(known) else ():
            if not same:
                column[at] = msgspec.json.encode(outlines[at])
        return b"[%b]" % b",".join(column)
