"""Actions on the reading order of the open page."""

from __future__ import annotations

from dataclasses import replace

from spotlab.gui.kit.settings import READING_ORDER
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace import Action, Window, has_selection, may_draw, needs
from spotlab.libraries import late_imports
from spotlab.model import OrderGroup

with late_imports(__name__):
    from spotlab.editing import reading_order

_SECTION = "Reading Order"


def set_order(workbench: Workbench, name: str, order: OrderGroup | None) -> None:
    """Read the regions in this order from now on, as one step."""
    document = workbench.document
    if document is not None:
        page = replace(document.page, order=order)
        workbench.editing.do(name, document.replacing(page))


def order_by_position(workbench: Workbench) -> None:
    """Propose an order for the regions of the page."""
    document = workbench.document
    if document is not None and len(document):
        order = reading_order.by_position(document.regions, document.page.order)
        set_order(workbench, "Reading order by position", order)
        workbench.said.emit("This is a proposal: Ctrl+Z takes it back", False)


def order_as_selected(workbench: Workbench) -> None:
    """Read the selected regions one after the other, as they were selected."""
    document = workbench.document
    if document is not None:
        ids = [region.id for region in workbench.selected]
        order = reading_order.ordered_as(document.page.order, ids)
        set_order(workbench, "Reading order as selected", order)


def leave_out(workbench: Workbench) -> None:
    """Take the selected regions out of the order; they stay on the page."""
    document = workbench.document
    if document is not None and document.page.order is not None:
        gone = {region.id for region in workbench.selected}
        set_order(workbench, "Leave out of reading order", document.page.order.without(gone))


def _show(window: Window) -> None:
    window.workbench.settings.set(READING_ORDER, True)


def _by_position(window: Window) -> None:
    order_by_position(window.workbench)
    _show(window)


def _as_selected(window: Window) -> None:
    order_as_selected(window.workbench)
    _show(window)


@needs("None of the selected regions is in the reading order", has_selection)
def _has_ordered(window: Window) -> bool:
    document = window.workbench.document
    order = document.page.order if document is not None else None
    placed = set(order.ids) if order is not None else set()
    return any(region.id in placed for region in window.workbench.selected)


ACTIONS = (
    Action(
        "order.by_position",
        "By &Position",
        _by_position,
        enabled=may_draw,
        words="sequence sort columns text flow",
        tip="Propose an order: columns from left to right, each from top to bottom",
        section=_SECTION,
    ),
    Action(
        "order.as_selected",
        "As &Selected",
        _as_selected,
        ("Ctrl+Alt+J",),
        enabled=has_selection,
        words="sequence click sort",
        tip="Read the selected regions one after the other, as you have selected them",
        section=_SECTION,
    ),
    Action(
        "order.leave_out",
        "&Leave Out",
        lambda window: leave_out(window.workbench),
        enabled=_has_ordered,
        words="remove sequence",
        tip="Take the selected regions out of the reading order; they stay on the page",
        section=_SECTION,
    ),
)
