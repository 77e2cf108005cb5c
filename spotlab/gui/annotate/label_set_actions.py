"""Actions for the label set of the collection: import, export and lock it."""

from __future__ import annotations

from spotlab.gui.workspace.action import Action, may_draw
from spotlab.gui.workspace.window import Window
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.gui.annotate import label_set_files


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


ACTIONS = (
    Action(
        "labels.import",
        "&Import…",
        lambda window: label_set_files.ask_import(window.workbench, window.frame),
        enabled=may_draw,
        tip="Take order, colours, digits and descriptions of labels from a CSV, JSON or text file",
        section=_SECTION,
    ),
    Action(
        "labels.export",
        "&Export…",
        lambda window: label_set_files.ask_export(window.workbench, window.frame),
        enabled=may_draw,
        tip="Write the label set as CSV, JSON or text, for other people and programs",
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
