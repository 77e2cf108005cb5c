"""The colours of queries in lists and tables: those of the labels that they are named after."""

from __future__ import annotations

from collections.abc import Sequence

from spotlab.gui.canvas.region_style import UNLABELED
from spotlab.model import LabelSet


def query_colours(labels: LabelSet, queries: Sequence[str]) -> tuple[str, ...]:
    """The colour of each query: grey, as on the page, where the set has no such label.

    Where it has none of them, such as those of words, the colours are empty.

    Examples
    --------
    >>> labels = LabelSet().with_label("sofa", "#123456")
    >>> query_colours(labels, ["sofa", "bed"])
    ('#123456', '#64748b')
    >>> query_colours(labels, ["the", "and"])
    ('', '')
    """
    colours = {label.name: label.colour for label in labels}
    missing = "" if colours.keys().isdisjoint(queries) else UNLABELED
    return tuple(colours.get(query, missing) for query in queries)
