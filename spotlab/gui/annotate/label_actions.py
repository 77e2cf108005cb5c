"""Actions that import, export and lock label sets, and that hide, lock and step through regions."""

from __future__ import annotations

from collections.abc import Callable

from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.workspace import Action, Window, has_selection, may_draw, needs
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.gui.annotate import label_finder, region_list
    from spotlab.gui.annotate.panels import attribute_dialog


_SECTION = "Label Set"


def refuse(window: Window, name: str) -> None:
    """Say that a label cannot be added, and offer to unlock the set."""
    collection = window.workbench.collection

    def unlock() -> None:
        window.banner.dismiss()
        collection.lock_labels(False)
        window.workbench.editing.apply_label(name)

    window.banner.show_message(
        "label set",
        f"The label set is locked, so “{name}” was not added. Choose one of its labels, or unlock "
        "the set.",
        [("Unlock and Add", f"Unlock the label set and add “{name}”", unlock)],
    )


def _is_locked(window: Window) -> bool:
    return window.workbench.labels.locked


LABEL_SETS = (
    Action(
        "labels.import",
        "&Import…",
        lambda window: label_finder.ask_import(window.workbench, window.frame),
        enabled=may_draw,
        tip="Take labels with colours, digits, descriptions and attributes from a file",
        section=_SECTION,
    ),
    Action(
        "labels.export",
        "&Export…",
        lambda window: label_finder.ask_export(window.workbench, window.frame),
        enabled=may_draw,
        tip="Write the label set as CSV, JSON or text, for other people and programs",
        section=_SECTION,
    ),
    Action(
        "labels.attributes",
        "&Attributes…",
        lambda window: attribute_dialog.edit_attributes(window.workbench, window.frame),
        enabled=may_draw,
        tip="Say which attributes regions have, by label: names, kinds of values, defaults",
        section=_SECTION,
    ),
    Action(
        "labels.lock",
        "&Lock",
        lambda window: window.workbench.collection.lock_labels(not _is_locked(window)),
        enabled=may_draw,
        checked=_is_locked,
        tip="While the label set is locked, no label is added, renamed or deleted",
        section=_SECTION,
    ),
)


_SHOW, _LOCK = "Show and Hide", "Lock"


def _visibility(window: Window) -> RegionVisibility:
    return window.workbench.state(RegionVisibility)


def _step(by: int) -> Callable[[Window], None]:
    def run(window: Window) -> None:
        region = window.workbench.state(region_list.RegionList).step(by)
        if region is not None:
            window.canvas.gliding.show(region.bounds)

    return run


def _label(window: Window) -> str:
    """The label of the selected region, or of what is drawn next."""
    regions = window.workbench.selected
    return regions[-1].label if regions else window.workbench.label


def _is_only(window: Window) -> bool:
    return _visibility(window).only is not None


def _show_only(window: Window) -> None:
    visibility = _visibility(window)
    visibility.show_only(_label(window) if visibility.only is None else visibility.only)


VISIBILITY = (
    Action(
        "region.next",
        "Ne&xt Region",
        _step(1),
        ("Ctrl+Down",),
        enabled=may_draw,
        icon="arrow-right",
        tip="Select the next region, in the order of the Regions panel",
        rule=True,
        on_canvas=True,
        repeats=True,
    ),
    Action(
        "region.previous",
        "Pre&vious Region",
        _step(-1),
        ("Ctrl+Up",),
        enabled=may_draw,
        icon="arrow-left",
        tip="Select the previous region, in the order of the Regions panel",
        on_canvas=True,
        repeats=True,
    ),
    Action(
        "region.hide",
        "&Hide Selected",
        lambda window: _visibility(window).hide(window.workbench.selected),
        ("Ctrl+Alt+H",),
        enabled=has_selection,
        icon="eye-off-outline",
        tip="Hide the selected regions on the page; they stay in the truth and in all figures",
        section=_SHOW,
    ),
    Action(
        "region.show_only",
        "Show &Only This Label",
        _show_only,
        ("Ctrl+Alt+S",),
        enabled=may_draw,
        checked=_is_only,
        tip="Hide all regions with another label; choose again to show them",
        section=_SHOW,
    ),
    Action(
        "region.show_all",
        "Show &All Regions",
        lambda window: _visibility(window).show_all(),
        ("Ctrl+Alt+V",),
        enabled=needs("No region is hidden", may_draw)(lambda window: _visibility(window).hides),
        icon="eye-outline",
        tip="Show all hidden regions and labels",
        section=_SHOW,
    ),
    Action(
        "region.lock",
        "&Lock Selected",
        lambda window: _visibility(window).lock(window.workbench.selected),
        ("Ctrl+Alt+L",),
        enabled=has_selection,
        icon="lock-outline",
        tip="Protect the selected regions: no tool selects or changes them",
        section=_LOCK,
    ),
    Action(
        "region.unlock_all",
        "&Unlock All Regions",
        lambda window: _visibility(window).unlock_all(),
        enabled=needs("No region is locked", may_draw)(lambda window: _visibility(window).locks),
        icon="lock-open-variant-outline",
        tip="Unlock all regions and labels",
        section=_LOCK,
    ),
)
