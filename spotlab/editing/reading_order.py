"""Edits of a page's reading order: it follows regions that go or are split, and can be proposed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.editing.document import Document, Edit
from spotlab.geometry.polygon import reading_order
from spotlab.model import OrderGroup, Region, new_id

_NEAR = 1.0  # px by which a part may reach beyond the region that it was cut from
_MARGIN = 0.1  # of a region's width or height, by which it may reach into the next column or row


def following(document: Document, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits that a step also makes to the reading order of its page.

    Regions that go leave it. If others come in the same step, they take the place of the first that
    goes. Parts of a region that was split come directly after it.

    Parameters
    ----------
    document : Document
        As it is before the step.
    edits : sequence of Edit
    """
    page = next((edit.page[1] for edit in reversed(edits) if edit.page is not None), document.page)
    order = page.order
    if order is None or not any(edit.places for edit in edits):
        return ()
    placed = set(order.ids)
    gone = [each.id for edit in edits if edit.places for each in edit.before]
    come = [each for edit in edits if edit.places for each in edit.after]
    new = [each for each in come if each.id not in placed]
    back = {each.id for each in come}
    gone = [id for id in gone if id in placed and id not in back]
    cut = [each for edit in edits if not edit.places for each in edit.before if each.id in placed]
    instead: dict[str, list[str]] = {id: [] for id in gone}
    for region in new:
        whole = next((each for each in cut if _is_part(region, each)), None)
        if whole is not None:
            instead.setdefault(whole.id, [whole.id]).append(region.id)
        elif gone:
            first = next(id for id in order.ids if id in gone)
            instead[first].append(region.id)
    if not instead:
        return ()
    changed = order.mapped(lambda id: instead.get(id, (id,)))
    return (Edit(page=(page, replace(page, order=changed))),)


def _is_part(region: Region, whole: Region) -> bool:
    left, top, right, bottom = region.bounds
    a, b, c, d = whole.bounds
    return (
        left >= a - _NEAR and top >= b - _NEAR and right <= c + _NEAR and bottom <= d + _NEAR
    )  # fmt: skip


def ordered_as(order: OrderGroup | None, ids: Sequence[str]) -> OrderGroup:
    """Put regions one after the other, at the place of the first of them that the order has.

    Parameters
    ----------
    order : OrderGroup or None
    ids : sequence of str
        In the order that is wanted; what is new comes in, at the end if none is there.

    Examples
    --------
    >>> ordered_as(OrderGroup(("a", "b", "c", "d")), ["d", "x", "b"])
    OrderGroup(items=('a', 'd', 'x', 'b', 'c'))
    """
    order = order or OrderGroup(id=new_id())
    first = next((id for id in order.ids if id in ids), None)
    if first is None:
        return replace(order, items=(*order.items, *ids))
    others = set(ids) - {first}
    changed = order.mapped(lambda id: ids if id == first else () if id in others else (id,))
    assert changed is not None
    return changed


def by_position(regions: Iterable[Region], order: OrderGroup | None = None) -> OrderGroup:
    """Propose an order by where regions lie: columns from left to right, each from top to bottom.

    What spans several columns, such as a heading, is read before those below it. What neither rows
    nor columns divide is read line by line.

    Parameters
    ----------
    regions : iterable of Region
    order : OrderGroup, optional
        The one that it takes the place of.

    Examples
    --------
    >>> def box(id, left, top, right, bottom):
    ...     points = ((left, top), (right, top), (right, bottom), (left, bottom))
    ...     return Region(points, id=id)
    >>> by_position([box("right", 60, 20, 90, 90), box("low", 0, 60, 40, 90),
    ...              box("head", 0, 0, 90, 10), box("high", 0, 22, 40, 50)]).ids
    ('head', 'high', 'low', 'right')
    """
    found = list(regions)
    boxes = np.array([region.bounds for region in found], float).reshape(-1, 4)
    items = tuple(found[at].id for at in _ordered(boxes, np.arange(len(found))))
    return OrderGroup(items, id=order.id if order is not None else new_id())


def _ordered(boxes: Floats, numbers: Ints) -> list[int]:
    """The numbers of boxes in their order, by recursive cuts (Nagy and Seth 1984)."""
    columns = _parts(boxes[numbers], 0)
    rows = _parts(boxes[numbers], 1) if len(columns) < 2 else []
    if len(rows) > 1:
        columns = _with_columns(boxes[numbers], rows)
    if len(columns) < 2:
        return [int(number) for number in numbers[reading_order(boxes[numbers])]]
    return [number for part in columns for number in _ordered(boxes, numbers[part])]


def _with_columns(boxes: Floats, rows: Sequence[Ints]) -> list[Ints]:
    """Rows, of which those that columns run through are one."""
    found = [rows[0]]
    for row in rows[1:]:
        both = np.concatenate((found[-1], row))
        found[-1:] = [both] if len(_parts(boxes[both], 0)) > 1 else [found[-1], row]
    return found


def _parts(boxes: Floats, axis: int) -> list[Ints]:
    """Places of boxes that lie one behind the other along an axis, but for their margins."""
    margins = (boxes[:, axis + 2] - boxes[:, axis]) * _MARGIN
    starts, stops = boxes[:, axis] + margins, boxes[:, axis + 2] - margins
    order = np.argsort(starts, kind="stable")
    reach = np.maximum.accumulate(stops[order])
    return np.split(order, np.flatnonzero(starts[order][1:] > reach[:-1]) + 1)
