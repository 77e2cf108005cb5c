"""The Page menu."""

from __future__ import annotations

from collections.abc import Callable

from spotlab.gui.window.panels import filter_pages
from spotlab.gui.workspace.action import Action, Menu, has_page, has_pages
from spotlab.gui.workspace.window import Window
from spotlab.libraries import late_imports
from spotlab.model import PageState

with late_imports(__name__):
    from spotlab.gui.pages.panel import pages


def _step(step: int) -> Callable[[Window], None]:
    return lambda window: window.panel(pages.PagesPanel).step(step)


def _next(state: PageState) -> Callable[[Window], None]:
    def run(window: Window) -> None:
        workbench = window.workbench
        count, here = len(workbench.entries), workbench.index or 0
        for step in range(1, count):
            page = (here + step) % count
            if workbench.collection.state(page) is state:
                workbench.open_page(page)
                return
        workbench.said.emit(f"No other page is {state}", False)

    return run


def _is_checked(window: Window) -> bool:
    document = window.workbench.document
    return document is not None and document.page.checked


def _mark_checked(window: Window) -> None:
    window.workbench.editing.set_checked(not _is_checked(window))


def _check_and_go_on(window: Window) -> None:
    window.workbench.editing.set_checked(True)
    window.panel(pages.PagesPanel).step(1)


MENU = Menu(
    "page",
    "&Page",
    4,
    (
        Action(
            "page.next",
            "&Next",
            _step(1),
            ("PgDown", "Ctrl+Right"),
            enabled=has_pages,
            icon="chevron-down",
            words="forward following",
            tip="Open the next page in the list",
            repeats=True,
        ),
        Action(
            "page.previous",
            "&Previous",
            _step(-1),
            ("PgUp", "Ctrl+Left"),
            enabled=has_pages,
            icon="chevron-up",
            words="back",
            tip="Open the previous page in the list",
            repeats=True,
        ),
        Action(
            "page.next_untouched",
            "Next &Untouched",
            _next(PageState.UNTOUCHED),
            ("Ctrl+PgDown",),
            enabled=has_pages,
            words="unlabelled todo",
            tip="Open the next page without regions",
        ),
        Action(
            "page.next_uncertain",
            "Next Un&certain",
            _next(PageState.UNCERTAIN),
            ("Alt+PgDown",),
            enabled=has_pages,
            tip="Open the next page with an uncertain region",
        ),
        Action(
            "page.checked",
            "&Checked",
            _mark_checked,
            ("Ctrl+Shift+Return",),
            enabled=has_page,
            checked=_is_checked,
            icon="check-bold",
            words="done finished reviewed complete",
            tip="Mark the truth of this page as complete and correct",
            rule=True,
        ),
        Action(
            "page.check_and_next",
            "Check and Go &On",
            _check_and_go_on,
            ("Ctrl+Return",),
            enabled=has_page,
            tip="Mark the page as checked and open the next one",
        ),
        Action(
            "page.filter",
            "&Filter Pages",
            filter_pages,
            ("Ctrl+F",),
            enabled=has_pages,
            icon="filter-outline",
            words="search find",
            tip="Filter the list of pages by name, label and state",
            rule=True,
        ),
    ),
)
