"""All menus: Page, Tools, Help and the workspaces, and those of other files and packages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from PySide6.QtWidgets import QApplication

from spotlab.errors import SpotlabError
from spotlab.gui.canvas.tool import ToolKind
from spotlab.gui.window.menu_bar import file_actions, view_actions
from spotlab.gui.window.menu_bar import file_actions as edit_actions
from spotlab.gui.window.panels import filter_pages
from spotlab.gui.workspace import (
    Action,
    Menu,
    Panel,
    Window,
    has_page,
    has_pages,
    needs,
    tool_kinds,
    workspaces,
)
from spotlab.libraries import late_imports
from spotlab.model import PageState
from spotlab.registry import discover, is_outside
from spotlab.resources import help_pages

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


def _tag(window: Window) -> None:
    panel = window.panel(pages.PagesPanel)
    panel.tags.ask(panel.selected_pages())


def _check_and_go_on(window: Window) -> None:
    window.workbench.editing.set_checked(True)
    window.panel(pages.PagesPanel).step(1)


PAGE = Menu(
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
            "page.tag",
            "&Tag…",
            _tag,
            ("Ctrl+Alt+T",),
            enabled=has_pages,
            icon="tag-outline",
            words="label mark category property difficult hand",
            tip="Give a tag to the pages that are selected in the list, or to the open one",
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


def _owner(kind: ToolKind) -> str:
    """The title of the workspace that has the tool."""
    return next((each.title for each in workspaces() if each.name == kind.workspace), "")


def _choose(kind: ToolKind) -> Action:
    def run(window: Window) -> None:
        window.workbench.set_tool(kind.name)
        window.canvas.setFocus()

    @needs(f"{kind.title} is a tool of {_owner(kind)}")
    def is_offered(window: Window) -> bool:
        return window.workbench.workspace == kind.workspace

    def is_chosen(window: Window) -> bool:
        return window.workbench.tool == kind.name

    return Action(
        f"tool.{kind.name}",
        kind.title,
        run,
        (kind.shortcut,) if kind.shortcut else (),
        enabled=is_offered,
        checked=is_chosen,
        icon=kind.icon,
        tip="\n".join(filter(None, (kind.hint, kind.keys))),
        shown=is_offered,
    )


def _has_choice(window: Window) -> bool:
    """Tell whether the current workspace has several tools."""
    return len(tool_kinds(window.workbench.workspace)) > 1


def menu() -> Menu:
    """The Tools menu."""
    tools = tuple(map(_choose, tool_kinds()))
    return Menu("tool", "&Tools", 6, tools, shown=_has_choice)


def _page(id: str, title: str, name: str, icon: str, tip: str, words: str = "") -> Action:
    return Action(id, title, lambda window: window.show_help(name), icon=icon, tip=tip, words=words)


def _show_help_here(window: Window) -> None:
    """Open the page of the panel that has the keyboard, or that with the workspace's name."""
    pages = {f"dock.{each.name}": each.help for space in workspaces() for each in space.panels}
    name, widget = "", QApplication.focusWidget()
    while widget and not name:
        name, widget = pages.get(widget.objectName(), ""), widget.parentWidget()
    name = name or window.workbench.workspace
    with suppress(SpotlabError):  # the viewer says that the help is missing
        name = name if name in help_pages() else "index"
    window.show_help(name)


HELP = Menu(
    "help",
    "&Help",
    9,
    (
        Action(
            "help.here",
            "&Help on This Workspace",
            _show_help_here,
            ("F1",),
            icon="help-circle-outline",
            words="manual documentation",
            tip="How to work in the current workspace or panel",
        ),
        _page(
            "help.contents",
            "&Contents",
            "index",
            "bookshelf",
            "All help pages and the terms",
            "help manual documentation glossary search",
        ),
        _page(
            "help.tour",
            "Five &Minutes",
            "five-minutes",
            "school-outline",
            "First steps: open, sketch, label, correct",
            "start begin introduction beginner",
        ),
        _page(
            "help.tutorial",
            "&Tutorial",
            "tutorial",
            "map-marker-path",
            "From your own scans to a report, step by step",
            "learn start guide walkthrough",
        ),
        _page(
            "help.troubleshooting",
            "T&roubleshooting",
            "troubleshooting",
            "lifebuoy",
            "What to do when something is odd",
            "problem bug error slow crash support",
        ),
        Action(
            "help.keys",
            "&Keys",
            lambda window: window.show_help("keys"),
            ("Shift+F1",),
            icon="keyboard-outline",
            words="shortcuts hotkeys keyboard",
            tip="Table of all keyboard shortcuts",
            rule=True,
        ),
        Action(
            "help.files",
            "&Files",
            lambda window: window.show_help("files"),
            icon="file-outline",
            tip="File formats that are read and written, and their locations",
        ),
        Action(
            "help.about",
            "&About spotlab",
            lambda window: window.show_help("about"),
            words="version licence",
            tip="Purpose and version of spotlab",
            rule=True,
        ),
    ),
)


def menus(panels: Iterable[Panel]) -> list[Menu]:
    """All menus in their order; View shows and hides these panels."""
    own = [
        file_actions.FILE,
        edit_actions.EDIT,
        view_actions.menu(panels),
        PAGE,
        menu(),
        HELP,
        *(menu for space in workspaces() for menu in space.menus),
    ]
    taken = frozenset(menu.name for menu in own)
    every = [*own, *discover("spotlab.gui.actions", Menu, taken, ()).values()]
    return sorted(every, key=lambda menu: (menu.order, is_outside(menu), menu.name))
