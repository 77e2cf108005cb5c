"""The View menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from spotlab.gui.kit import theme
from spotlab.gui.workspace.action import Action, Menu, has_page

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow


def _ink(view: str, title: str, key: str, tip: str) -> Action:
    def is_shown(window: MainWindow) -> bool:
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
    def is_chosen(window: MainWindow) -> bool:
        return str(window.workbench.settings.get("theme", "system")) == name

    return Action(
        f"view.theme_{name}",
        title,
        lambda window: window.set_theme(name),
        checked=is_chosen,
        tip="Follow the desktop" if name == "system" else f"Paint the window {name}",
        section="Theme",
    )


def _panel(name: str, title: str, tip: str, key: str = "") -> Action:
    def is_here(window: MainWindow) -> bool:
        return window.has_dock(name)

    return Action(
        f"view.{name}",
        title,
        lambda window: window.toggle_dock(name),
        (key,) if key else (),
        enabled=is_here,
        checked=lambda window: window.is_dock_shown(name),
        tip=tip,
        section=PANELS,
        shown=is_here,
    )


PANELS = "Panels"
_PANELS = (
    _panel("pages", "&Pages", "The pages of the collection"),
    _panel("labels", "&Labels", "The labels of the collection, with their colours and digits"),
    _panel("properties", "&Region", "What is known of the selected regions"),
    _panel("history", "&Steps", "All steps of the page, to go back to any", "Ctrl+Shift+Y"),
    _panel("findings", "F&indings", "What was found when the truth of all pages was checked"),
    _panel("runs", "R&uns", "The open runs and their queries"),
    _panel("curves", "&Curves", "Precision, recall, fall-out and F; they follow each edit"),
    _panel("spot", "Sp&ot", "What one spot did to precision and recall"),
    _panel("figures", "&Figures", "Tables of all figures, for every query and every run"),
    _panel("errors", "&Errors", "All errors of the collection, the worst first"),
    _panel("word_queries", "Sear&ch", "Where a word is searched, and the queries until now"),
    _panel("scores", "&Scores", "Score over rank, and the threshold that purges"),
    _panel("word_settings", "Rankin&g of Words", "Which lists are made, and how"),
    _panel("word_matrix", "&Matrix", "The scores of words with each other"),
    _panel("weights", "&Weights", "How much the vote of each system counts"),
    _panel("systems_figures", "&Figures of Systems", "Precision, recall and F of every system"),
    _panel("ranking", "&Ranking of Systems", "Two rankings of the systems side by side"),
    _panel("agreement", "&Agreement", "Which systems agree, and which err together"),
    _panel("partial_truth", "Partial &Truth", "Answer for a few items, judge every system"),
    _panel("subjects", "Su&bjects", "Systems before subjects who do not agree"),
)


def _turn(angle: float) -> Callable[[MainWindow], None]:
    return lambda window: window.canvas.rotate_by(angle)


def _minimap_shown(window: MainWindow) -> bool:
    return bool(window.workbench.settings.get("minimap", True))


def _toggle_minimap(window: MainWindow) -> None:
    window.canvas.set_minimap(not _minimap_shown(window))


def _toggle_regions(window: MainWindow) -> None:
    window.canvas.set_regions_visible(not window.canvas.region_layer.visible)


_ZOOMS = (
    Action(
        "view.zoom_in",
        "Zoom &In",
        lambda window: window.canvas.zoom_in(),
        ("Ctrl++", "Ctrl+="),
        enabled=has_page,
        icon="magnify-plus-outline",
        tip="The wheel zooms at the pointer",
        repeats=True,
    ),
    Action(
        "view.zoom_out",
        "Zoom &Out",
        lambda window: window.canvas.zoom_out(),
        ("Ctrl+-",),
        enabled=has_page,
        icon="magnify-minus-outline",
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
        tip="Show the whole page",
    ),
    Action(
        "view.actual",
        "&Actual Size",
        lambda window: window.canvas.actual_size(),
        ("Alt+0",),
        enabled=has_page,
        icon="numeric-1-box-outline",
        tip="A pixel of the page is a pixel of the screen",
    ),
    Action(
        "view.selection",
        "&Go to Selection",
        lambda window: window.canvas.show_selected(),
        ("Ctrl+G",),
        enabled=lambda window: bool(window.workbench.selected),
        icon="crosshairs",
        tip="Bring the selected regions into sight",
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
        tip="Turn what you see; the page stays as it is",
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
        tip="Turn what you see; the page stays as it is",
        section="Rotate View",
    ),
    Action(
        "view.rotate_bit_right",
        "5° R&ight",
        _turn(5),
        ("Ctrl+Alt+Up",),
        enabled=has_page,
        tip="Turn what you see; the page stays as it is",
        section="Rotate View",
        repeats=True,
    ),
    Action(
        "view.rotate_bit_left",
        "5° L&eft",
        _turn(-5),
        ("Ctrl+Alt+Down",),
        enabled=has_page,
        tip="Turn what you see; the page stays as it is",
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

MENU = Menu(
    "view",
    "&View",
    3,
    (
        *_ZOOMS,
        *_TURNS,
        _ink("raw", "As &Scanned", "Alt+1", "Show the page as it is"),
        _ink("binarised", "&Binarised", "Alt+2", "Show what counts as ink, black on white"),
        _ink("components", "&Components", "Alt+3", "Show every connected component in a colour"),
        Action(
            "view.adjust",
            "In&k, Contrast and Share…",
            lambda window: window.toggle_ink_box(),
            ("Ctrl+L",),
            enabled=has_page,
            checked=lambda window: window.ink_box.isVisible(),
            icon="tune-variant",
            tip="Brightness, contrast, how ink is told from paper, what a stroke takes",
        ),
        Action(
            "view.regions",
            "&Regions",
            _toggle_regions,
            ("Ctrl+H",),
            checked=lambda window: bool(window.canvas.region_layer.visible),
            tip="Show the regions, or only the page",
            rule=True,
        ),
        Action(
            "view.captions",
            "&Labels",
            lambda window: window.canvas.set_captions(not window.canvas.overlay.captions),
            ("Ctrl+Shift+L",),
            enabled=has_page,
            checked=lambda window: bool(window.canvas.overlay.captions),
            tip="Show the label of every region that has room for it",
        ),
        Action(
            "view.minimap",
            "&Minimap",
            _toggle_minimap,
            checked=_minimap_shown,
            icon="map-outline",
            tip="A small picture of the whole page in the corner",
        ),
        *_PANELS,
        *(_theme(name, f"&{name.capitalize()}") for name in theme.THEMES),
    ),
)
