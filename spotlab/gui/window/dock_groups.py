"""Which docks stand below each other and which share a place as tabs: pure, without Qt."""

from __future__ import annotations

from collections.abc import Sequence

Group = tuple[str, ...]  # names of docks that share a place; one alone has it to itself


def grouped(wanted: Sequence[tuple[Group, int]], room: int) -> list[Group]:
    """Put the last ones together as tabs until all fit below each other.

    Parameters
    ----------
    wanted : sequence of (names, height)
        From the top, with the height in px that each needs.
    room : int
        Height in px that there is for all.

    Examples
    --------
    >>> places = [(("labels",), 160), (("region",), 300), (("steps",), 160)]
    >>> grouped(places, 640)
    [('labels',), ('region',), ('steps',)]
    >>> grouped(places, 500)
    [('labels',), ('region', 'steps')]
    >>> grouped(places, 400)
    [('labels', 'region', 'steps')]
    """
    places = list(wanted)
    while len(places) > 1 and sum(height for _, height in places) > room:
        (upper, above), (lower, below) = places[-2:]
        places[-2:] = [((*upper, *lower), max(above, below))]
    return [names for names, _ in places]
