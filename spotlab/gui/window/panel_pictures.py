"""Brings the window into the states that single panels and dialogs are shown in by the help."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QWidget

from spotlab.editing.operations import move
from spotlab.errors import SpotlabError
from spotlab.formats.truth import page_xml
from spotlab.gui.annotate.second.adjudication import Adjudication
from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
from spotlab.gui.kit import background
from spotlab.gui.systems.centre import SystemsCentre
from spotlab.gui.systems.subjects.subjects_state import Subjects
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Deed, Primitive, Region

TREE = "category,parent\nscene,\nindoors,scene\nkitchen,indoors\nbath,indoors\ngarden,scene\n"
SUBJECTS = ("Anna", "Ben", "Cleo", "Dan", "Eva")
JUDGED = {  # what each of the subjects says of an item
    "oven": ("kitchen",) * 5,
    "sink": ("kitchen", "bath", "kitchen", "kitchen", "bath"),
    "mirror": ("bath", "bath", "indoors", "bath", "bath"),
    "tap": ("bath", "garden", "kitchen", "bath", "garden"),
    "table": ("kitchen", "garden", "indoors", "indoors", "garden"),
    "hedge": ("garden",) * 5,
    "tiles": ("bath", "kitchen", "bath", "bath", "kitchen"),
    "bench": ("garden", "garden", "indoors", "garden", "garden"),
}
ANSWERS = {
    "shape": ("oven", "sink", "table", "tap", "tiles", "mirror"),
    "colour": ("table", "hedge", "sink", "bench", "tap", "oven"),
}
QUERY = "kitchen"


def panel(window: MainWindow, name: str) -> QWidget:
    """A panel with its title, in front of those that share its place."""
    window.docks.bring(name)
    return window.docks.by_name[name]


def open_subjects(window: MainWindow, folder: Path) -> QWidget:
    """Judgements of five subjects who disagree, and the answers of two systems, in a panel."""
    rows = [
        f"{subject},{item},{category}"
        for item, said in JUDGED.items()
        for subject, category in zip(SUBJECTS, said, strict=True)
    ]
    answers = [
        f"{system},{QUERY},{rank},{item}"
        for system, items in ANSWERS.items()
        for rank, item in enumerate(items, 1)
    ]
    files = {
        "tree": TREE,
        "judgements": "\n".join(["subject,item,category", *rows]) + "\n",
        "answers": "\n".join(["system,query,rank,item", *answers]) + "\n",
    }
    for name, content in files.items():
        (folder / f"{name}.csv").write_text(content, "utf-8")
    window.workbench.state(Subjects).open([folder / f"{name}.csv" for name in files])
    background.wait_for_all()
    centre = window.above["systems"]
    assert isinstance(centre, SystemsCentre)
    centre.show_subjects()
    return centre


def validate(window: MainWindow) -> QWidget:
    """Findings about regions that are wrong in three ways: they are drawn for it, as one step."""
    workbench = window.workbench
    document = workbench.document
    if document is None:
        raise SpotlabError("the sample's first page could not be opened")
    first, width = next(iter(document)), document.page.width
    crossing = ((90, 90), (190, 190), (190, 90), (90, 190))
    outside = ((width - 40, 50), (width + 60, 50), (width + 60, 120), (width - 40, 120))
    faulty = [
        Region(first.points, first.label),
        Region(crossing, first.label, primitive=Primitive.POLYGON),
        Region(outside, ""),
    ]
    workbench.editing.do("Draw faulty regions", document.adding(*faulty))
    workbench.autosave.now()
    background.wait_for_all()
    window.actions_by_id.trigger("file.validate")
    background.wait_for_all()
    return panel(window, "findings")


def second_annotator(window: MainWindow, folder: Path) -> QWidget:
    """Somebody who has drawn the open page a little differently, and two decisions."""
    workbench = window.workbench
    window.enter("annotate")
    second, deciding = workbench.state(SecondAnnotator), workbench.state(Adjudication)
    document, entry = workbench.document, workbench.entry
    if document is None or entry is None:
        raise SpotlabError("the sample's first page could not be opened")
    drawn = [region for at, region in enumerate(document) if at % 9 != 3]
    theirs = [
        replace(region, label="cot") if "bed" in region.label
        else move(region, 6, 4, document.page) if at % 5 == 0
        else region
        for at, region in enumerate(drawn)
    ]  # fmt: skip
    (folder / "ben").mkdir()
    path = folder / "ben" / entry.truth_path.name
    page_xml.write(replace(document.truth, regions=tuple(theirs), source=b""), path)
    workbench.author.use("Cleo")
    second.open(path.parent)
    _wait_for(second)
    deciding.open(folder / "decided")
    for verdict in (Deed.KEPT, Deed.TAKEN):
        deciding.step(1)
        deciding.decide(verdict)
    _wait_for(second)
    panel(window, "second")
    return window


def _wait_for(second: SecondAnnotator) -> None:
    """Let comparing end, which begins a moment after it was asked for."""
    second.compare()
    background.wait_for_all()
