"""The View menu."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtWidgets import QMainWindow

from spotlab.gui.canvas.view import STEP
from spotlab.gui.kit import theme
from spotlab.gui.kit.settings import KEEP_ZOOM, MINIMAP, PAPER, READING_ORDER, THEME, TOOL_NAMES
from spotlab.gui.window.command_palette import walk_panels
from spotlab.gui.workspace import (
    Action,
    Menu,
    Panel,
    Window,
    Workspace,
    has_page,
    needs,
    workspaces,
)
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.editing import operations


def _enter(workspace: Workspace) -> Action:
    def is_shown(window: Window) -> bool:
        return window.workbench.workspace == workspace.name

    return Action(
        f"workspace.{workspace.name}",
        workspace.title,
        lambda window: window.enter(workspace.name),
        (f"Ctrl+{workspace.order}",),
        enabled=needs("This workspace could not be loaded")(
            lambda window: window.has_workspace(workspace.name)
        ),
        checked=is_shown,
        icon=workspace.icon,
        tip=f"{workspace.title}: {workspace.tip}",
        section="Workspace",
    )


def workspace_actions() -> tuple[Action, ...]:
    """An action for each workspace, which enters it."""
    return tuple(map(_enter, workspaces()))


def _ink(view: str, title: str, key: str, tip: str) -> Action:
    def is_shown(window: Window) -> bool:
        return window.workbench.ink.view == view

    return Action(
        f"view.ink_{view}",
        title,
        lambda window: window.workbench.ink.set_view(view),
        (key,),
        enabled=has_page,
        checked=is_shown,
        tip=tip,
        section="Ink",
    )


def _theme(name: str, title: str) -> Action:
    def is_chosen(window: Window) -> bool:
        return window.workbench.settings.get(THEME) == name

    return Action(
        f"view.theme_{name}",
        title,
        lambda window: window.set_theme(name),
        checked=is_chosen,
        words="theme appearance colours mode night day",
        tip="Follow the desktop" if name == "system" else f"Use {name} colours for the window",
        section="Theme",
    )


def _paper(name: str, title: str) -> Action:
    def choose(window: Window) -> None:
        window.workbench.settings.set(PAPER, name)
        theme.use(name)

    return Action(
        f"view.paper_{name}",
        title,
        choose,
        checked=lambda window: window.workbench.settings.get(PAPER) == name,
        words="paper dark dim invert night bright glare",
        tip="How pages are shown in the dark theme; their pixels, the ink and what is exported "
        "stay as they are",
        section="Paper",
    )


def _panel(panel: Panel) -> Action:
    name = panel.name

    @needs("The current workspace does not have this panel")
    def is_here(window: Window) -> bool:
        return window.docks.offered(name)

    return Action(
        f"view.{name}",
        panel.menu_title or panel.title,
        lambda window: window.docks.toggle(name),
        (panel.key,) if panel.key else (),
        enabled=is_here,
        checked=lambda window: window.docks.is_shown(name),
        tip=panel.tip,
        words=panel.words,
        section=PANELS,
        shown=is_here,
    )


PANELS = "Panels"


def _turn(angle: float) -> Callable[[Window], None]:
    return lambda window: window.canvas.rotate_by(angle)


def _walk(by: int, window: Window) -> None:
    if isinstance(window.frame, QMainWindow):
        walk_panels(window.frame, by)


def _minimap_shown(window: Window) -> bool:
    return window.workbench.settings.get(MINIMAP)


def _tools_named(window: Window) -> bool:
    return window.workbench.settings.get(TOOL_NAMES)


def _order_shown(window: Window) -> bool:
    return window.workbench.settings.get(READING_ORDER)


def _zoom_kept(window: Window) -> bool:
    return window.workbench.settings.get(KEEP_ZOOM)


def _toggle_minimap(window: Window) -> None:
    window.canvas.set_minimap(not _minimap_shown(window))


@needs("No region is selected", has_page)
def _has_selected(window: Window) -> bool:
    return len(window.workbench.selection) > 0


def _toggle_regions(window: Window) -> None:
    window.canvas.set_regions_visible(not window.canvas.region_layer.visible)


_ZOOMS = (
    Action(
        "view.zoom_in",
        "Zoom &In",
        lambda window: window.canvas.zoom_by(STEP),
        ("Ctrl++", "Ctrl+="),
        enabled=has_page,
        icon="magnify-plus-outline",
        words="enlarge magnify larger scale",
        tip="The wheel zooms at the pointer",
        repeats=True,
    ),
    Action(
        "view.zoom_out",
        "Zoom &Out",
        lambda window: window.canvas.zoom_by(1 / STEP),
        ("Ctrl+-",),
        enabled=has_page,
        icon="magnify-minus-outline",
        words="shrink smaller scale",
        tip="The wheel zooms at the pointer",
        repeats=True,
    ),
    Action(
        "view.fit",
        "&Fit Page",
        lambda window: window.canvas.fit(),
        ("Ctrl+0",),
        enabled=has_page,
        icon="fit-to-page-outline",
        words="zoom whole overview",
        tip="Show the whole page",
    ),
    Action(
        "view.actual",
        "&Actual Size",
        lambda window: window.canvas.zoom_to(1.0),
        ("Alt+0",),
        enabled=has_page,
        icon="numeric-1-box-outline",
        words="zoom 100%",
        tip="Show one page pixel as one screen pixel",
    ),
    Action(
        "view.selection",
        "&Go to Selection",
        lambda window: window.canvas.show_selected(),
        ("Ctrl+G",),
        enabled=_has_selected,
        icon="crosshairs",
        tip="Move the view to the selected regions",
    ),
    Action(
        "view.zoom_selection",
        "&Zoom to Selection",
        lambda window: window.canvas.gliding.zoom(operations.bounds_of(window.workbench.selected)),
        ("Ctrl+Shift+G",),
        enabled=_has_selected,
        icon="magnify-scan",
        tip="Show the selected regions as large as there is room",
    ),
)

_TURNS = (
    Action(
        "view.rotate_right",
        "90° &Right",
        _turn(90),
        ("Ctrl+Alt+Right",),
        enabled=has_page,
        icon="rotate-right",
        tip="Rotate the view; the page itself is not changed",
        section="Rotate View",
        rule=True,
    ),
    Action(
        "view.rotate_left",
        "90° &Left",
        _turn(-90),
        ("Ctrl+Alt+Left",),
        enabled=has_page,
        icon="rotate-left",
        tip="Rotate the view; the page itself is not changed",
        section="Rotate View",
    ),
    Action(
        "view.rotate_bit_right",
        "5° R&ight",
        _turn(5),
        ("Ctrl+Alt+Up",),
        enabled=has_page,
        tip="Rotate the view; the page itself is not changed",
        section="Rotate View",
        repeats=True,
    ),
    Action(
        "view.rotate_bit_left",
        "5° L&eft",
        _turn(-5),
        ("Ctrl+Alt+Down",),
        enabled=has_page,
        tip="Rotate the view; the page itself is not changed",
        section="Rotate View",
        repeats=True,
    ),
    Action(
        "view.upright",
        "&Upright",
        lambda window: window.canvas.rotate_to(0),
        ("Ctrl+Alt+0",),
        enabled=has_page,
        tip="Show the page as it is",
        section="Rotate View",
    ),
)


_SHOWN = (
    *_ZOOMS,
    *_TURNS,
    _ink("raw", "As &Scanned", "Alt+1", "Show the page as it is"),
    _ink("binarised", "&Binarised", "Alt+2", "Show the binarised page: ink in black on white"),
    _ink("components", "&Components", "Alt+3", "Show each connected component in its own colour"),
    Action(
        "view.adjust",
        "In&k, Contrast and Share…",
        lambda window: window.ink_box.setVisible(not window.ink_box.isVisible()),
        ("Ctrl+L",),
        enabled=has_page,
        checked=lambda window: window.ink_box.isVisible(),
        icon="tune-variant",
        words="brightness threshold binarise gamma light",
        tip="Set brightness, contrast, the binarisation, and the share of ink inside a stroke",
    ),
    Action(
        "view.regions",
        "&Regions",
        _toggle_regions,
        ("Ctrl+H",),
        checked=lambda window: bool(window.canvas.region_layer.visible),
        words="hide show annotations outlines",
        tip="Show or hide the regions",
        rule=True,
    ),
    Action(
        "view.captions",
        "&Labels",
        lambda window: window.canvas.set_captions(not window.canvas.overlay.captions),
        ("Ctrl+Shift+L",),
        enabled=has_page,
        preference=True,
        checked=lambda window: bool(window.canvas.overlay.captions),
        words="names text hide",
        tip="Show the labels of regions that are large enough on the screen",
    ),
    Action(
        "view.keep_zoom",
        "&Keep Zoom",
        lambda window: window.workbench.settings.set(KEEP_ZOOM, not _zoom_kept(window)),
        preference=True,
        checked=_zoom_kept,
        words="place position next page scale magnification",
        tip="Show the same part of the next page, as large, instead of the whole page",
    ),
    Action(
        "view.reading_order",
        "&Reading Order",
        lambda window: window.workbench.settings.set(READING_ORDER, not _order_shown(window)),
        ("Ctrl+Alt+Q",),
        checked=_order_shown,
        words="sequence numbers arrows text flow",
        tip="Show in which order the regions are read: numbers, and arrows from one to the next",
    ),
    Action(
        "view.tool_names",
        "Names of &Tools",
        lambda window: window.workbench.settings.set(TOOL_NAMES, not _tools_named(window)),
        preference=True,
        checked=_tools_named,
        words="captions buttons icons text",
        tip="Show names below the icons of tools, where there is room for all",
    ),
    Action(
        "view.minimap",
        "&Minimap",
        _toggle_minimap,
        preference=True,
        checked=_minimap_shown,
        icon="map-outline",
        words="overview navigator thumbnail",
        tip="Show an overview of the whole page in the corner",
    ),
)


_WALK = tuple(
    Action(
        f"view.{name}_panel",
        f"{name.capitalize()} Panel",
        partial(_walk, by),
        (key,),
        words="focus keyboard",
        tip=f"Give the keyboard to the {name} part of the window: page, panels, tools",
    )
    for name, by, key in (("next", 1, "F6"), ("previous", -1, "Shift+F6"))
)

_RESET = Action(
    "view.reset_panels",
    "Reset Pa&nels",
    lambda window: window.docks.reset(),
    words="layout restore default windows docks",
    tip="Put the panels of this workspace back to where they are at first",
)


def menu(panels: Iterable[Panel]) -> Menu:
    """The View menu, with an action for each workspace and for each of these panels."""
    themes = tuple(_theme(name, f"&{name.capitalize()}") for name in theme.THEMES)
    papers = tuple(_paper(name, title) for name, title in theme.PAPERS.items())
    around = (*workspace_actions(), *map(_panel, panels), *_WALK, _RESET, *themes, *papers)
    shown = (*_SHOWN, *around)
    return Menu("view", "&View", 3, shown)
