"""Asks for the annotation file that names a run's ids, where nothing of the run fits the truth."""

from __future__ import annotations

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.file_dialog import FileDialog
from spotlab.gui.workspace.window import Choice, Window
from spotlab.studies.evaluate.inspected_run import InspectedRun
from spotlab.studies.tally.truth import is_coco


def offer(window: Window, run: object) -> None:
    """Say that nothing of a run fits; of COCO results, offer to choose what names their ids."""
    if not isinstance(run, InspectedRun):
        return
    choices: list[Choice] = []
    if is_coco(run.run):
        tip = "Choose the COCO annotation file whose image and category ids these results use"
        choices.append(("Choose Annotation File…", tip, lambda: ask(window, run)))
    window.banner.show_message("remark", f"Nothing of {run.name} fits: {run.misfit}.", choices)


def ask(window: Window, run: InspectedRun) -> None:
    """Choose the annotation file and read the run again with it."""
    source = run.run.source
    assert source is not None  # it comes from a file
    title = f"Choose the annotation file for {run.name}"
    dialog = FileDialog(window.frame, title, source.parent, FileDialog.FileMode.ExistingFile)
    dialog.setNameFilters(["COCO annotations (*.json)", "All files (*)"])

    def use() -> None:
        window.banner.dismiss()
        window.workbench.state(Inspection).runs.name_ids(source, dialog.path)

    dialog.accepted.connect(use)
    dialog.open()
