"""A second annotator's folder is opened, differences are decided, others read the result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from spotlab.formats.truth import page_xml
from spotlab.gui.annotate.second.adjudication import Adjudication
from spotlab.gui.annotate.second.panel import SecondPanel
from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Page, Primitive, Region, Truth
from spotlab.studies.annotators.decisions import read_decisions
from tests.formats.page_files import assert_valid
from tests.gui.windows import close, open_window, press, settle, write_pages

pytestmark = pytest.mark.in_sequence

NAMESPACE = {"p": "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"}


def box(label: str, left: float, top: float, side: float = 40, id: str = "") -> Region:
    points = ((left, top), (left + side, top), (left + side, top + side), (left, top + side))
    return Region(points, label, id or f"r{left:g}_{top:g}", Primitive.BOX)


MINE = {
    "page_1": (box("sofa", 0, 0), box("bed", 100, 0), box("desk", 200, 0, 30), box("door", 0, 150)),
    "page_2": (box("sofa", 0, 0), box("lamp", 100, 100, 20)),
}
THEIRS = {
    "page_1": (box("sofa", 0, 8), box("cot", 100, 0), box("door", 0, 150), box("sink", 250, 100)),
    "page_2": (box("sofa", 0, 0),),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("annotators")
    write_pages(root / "anna", 2)
    (root / "ben").mkdir()
    for folder, drawn in (("anna", MINE), ("ben", THEIRS)):
        for name, regions in drawn.items():
            page = Page(root / folder / f"{name}.png", 320, 240)
            page_xml.write(Truth(page, regions), root / folder / f"{name}.xml")
    return root


@pytest.fixture(scope="module")
def window(folders: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = open_window(folders, folders / "anna", size=(1300, 900))
    window.workbench.author.use("Cleo")
    yield window
    close(window)


def rest(window: MainWindow) -> None:
    """Let comparing and writing end."""
    second, deciding = second_of(window), deciding_of(window)
    QTest.qWait(10)
    for _ in range(200):
        settle()
        if not second.busy and not deciding.busy:
            settle()  # panels follow a moment later
            return
        QTest.qWait(20)
    raise AssertionError("still busy")


def second_of(window: MainWindow) -> SecondAnnotator:
    return window.workbench.state(SecondAnnotator)


def deciding_of(window: MainWindow) -> Adjudication:
    return window.workbench.state(Adjudication)


def choose(window: MainWindow, folder: Path) -> None:
    dialog = window.findChild(QFileDialog)
    folder.mkdir(exist_ok=True)  # as by New Folder
    name = dialog.findChild(QLineEdit, "fileNameEdit")
    name.setText(str(folder))
    dialog.accept()
    QApplication.sendPostedEvents(dialog)
    rest(window)


def panel_of(window: MainWindow) -> SecondPanel:
    panel = window.panels["second"]
    assert isinstance(panel, SecondPanel)
    return panel


def key(window: MainWindow, key: Qt.Key, held: Qt.KeyboardModifier | None = None) -> None:
    window.activateWindow()
    window.canvas.setFocus()
    QApplication.processEvents()
    press(window.canvas, key, held or Qt.KeyboardModifier.NoModifier)
    rest(window)


def shown(panel: SecondPanel) -> list[str]:
    model = panel.model
    return [model.data(model.index(row, 0)) for row in range(model.rowCount())]


def test_a_folder_is_compared_three_differences_decided_and_the_result_read(
    window: MainWindow, folders: Path
) -> None:
    before = {path: path.read_bytes() for path in folders.glob("*/*.xml")}
    window.actions_by_id["second.open"].trigger()
    choose(window, folders / "ben")
    panel = panel_of(window)
    assert panel.isVisible() and panel.title.text() == "ben and me"
    worst_first = ["other label", "only theirs", "only mine", "other outline"]
    assert shown(panel) == worst_first
    # sofa 32 of 48, door 40 of 40 px high, all 40 px wide; nothing else is shared
    shared, drawn = 40 * 32 + 40 * 40, 40 * 48 + 40 * 40 + 2 * 40 * 40 + 30 * 30 + 40 * 40
    assert panel.figures.text().startswith(f"Area IoU {shared / drawn:.3f}".replace("0.", "."))

    window.actions_by_id["second.next"].trigger()
    assert second_of(window).current.second.label == "cot"  # type: ignore[union-attr]
    key(window, Qt.Key.Key_T)  # there is no folder for it yet
    choose(window, folders / "decided")
    assert panel.progress.format() == "1 of 5 decided"
    key(window, Qt.Key.Key_K)  # the sink is only theirs: mine has none there
    key(window, Qt.Key.Key_N)
    assert second_of(window).current.iou == pytest.approx(2 / 3)  # type: ignore[union-attr]
    key(window, Qt.Key.Key_M)
    assert panel.progress.format() == "3 of 5 decided"

    third = folders / "decided" / "page_1.xml"
    content = third.read_bytes()
    assert_valid(content)
    root = etree.fromstring(content)  # as any other program would read it
    assert page_xml.read(third).page.image.exists()  # named from where the file lies
    regions = root.xpath("//p:CustomRegion", namespaces=NAMESPACE)
    assert sorted(region.get("type") for region in regions) == ["cot", "door", "sofa"]
    said = {
        region.get("type"): region.xpath(
            "p:UserDefined/p:UserAttribute[@name='spotlab.history']", namespaces=NAMESPACE
        )[-1]
        for region in regions
    }
    assert (
        said["cot"].get("value").startswith("taken 20") and said["cot"].get("description") == "ben"
    )
    assert said["cot"].get("value").endswith(" Cleo")
    assert said["sofa"].get("value").startswith("merged")
    assert said["door"].get("value").startswith("agreed")
    assert {path: path.read_bytes() for path in before} == before


def test_undo_takes_decisions_back_one_by_one_and_redo_takes_them_again(
    window: MainWindow, folders: Path
) -> None:
    third, panel = folders / "decided" / "page_1.xml", panel_of(window)
    assert window.actions_by_id["edit.undo"].text() == "&Undo merge"
    window.actions_by_id["edit.undo"].trigger()
    rest(window)
    assert panel.progress.format() == "2 of 5 decided"
    assert {region.label for region in page_xml.read(third).regions} == {"cot", "door"}
    window.actions_by_id["edit.undo"].trigger()
    window.actions_by_id["edit.redo"].trigger()
    window.actions_by_id["edit.redo"].trigger()
    rest(window)
    assert panel.progress.format() == "3 of 5 decided"
    assert {region.label for region in page_xml.read(third).regions} == {"cot", "door", "sofa"}
    assert len(window.workbench.document) == 4  # type: ignore[arg-type]


def test_keys_mean_a_selected_region_first_and_drawing_is_compared_at_once(
    window: MainWindow,
) -> None:
    panel, workbench = panel_of(window), window.workbench
    row = shown(panel).index("only theirs")
    index = panel.model.index(row, 0)
    place = panel.table.visualRect(index).center()
    QTest.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    workbench.editing.label = "sink"
    workbench.editing.add_region(box("", 250, 100).array, Primitive.BOX)
    rest(window)
    assert "only theirs" not in shown(panel)  # both have a sink now
    workbench.editing.undo()
    rest(window)
    assert "only theirs" in shown(panel)
    assert panel.progress.format() == "3 of 5 decided"  # the decision counts again


def test_limits_change_what_counts_as_a_difference(window: MainWindow) -> None:
    panel, deciding = panel_of(window), deciding_of(window)
    panel.alike.setValue(0.65)  # the sofas have an IoU of ⅔
    rest(window)
    assert "other outline" not in shown(panel) and deciding.progress[1] == 4
    panel.match.setValue(0.7)  # now they are two things
    rest(window)
    assert shown(panel).count("only theirs") == 2 and deciding.progress[1] == 6
    panel.match.setValue(0.5)
    panel.alike.setValue(0.9)
    rest(window)
    assert deciding.progress == (3, 5)


def test_the_layer_can_be_hidden_and_says_what_is_there(window: MainWindow) -> None:
    canvas, second = window.canvas, second_of(window)
    second.set_current(None)
    settle()
    with_theirs = canvas.grab().toImage()
    window.actions_by_id["second.show"].trigger()
    settle()
    assert not second.shown and canvas.grab().toImage() != with_theirs
    window.actions_by_id["second.show"].trigger()
    assert second.shown


def test_the_next_page_opens_and_after_a_new_start_work_goes_on(
    window: MainWindow, folders: Path
) -> None:
    window.actions_by_id["second.previous"].trigger()
    key(window, Qt.Key.Key_N)
    assert window.workbench.entry.name == "page_2"  # type: ignore[union-attr]
    assert second_of(window).current.first.label == "lamp"  # type: ignore[union-attr]
    key(window, Qt.Key.Key_U)
    assert panel_of(window).progress.format() == "3 of 5 decided"  # looked at, not decided
    third = page_xml.read(folders / "decided" / "page_2.xml")
    assert [region.label for region in third.regions if region.uncertain] == ["lamp"]
    assert len(read_decisions(folders / "decided").decisions) == 4
    assert window.workbench.open_paths([folders / "anna"])
    rest(window)
    assert second_of(window).name == "ben"
    assert deciding_of(window).progress == (3, 5)


def test_other_sizes_are_said_and_nothing_is_written_into_a_side(
    window: MainWindow, folders: Path
) -> None:
    deciding = deciding_of(window)
    log = deciding.log
    assert not deciding.open(folders / "ben") and deciding.log is log
    other = replace(THEIRS["page_1"][0])
    (folders / "dora").mkdir()
    name = window.workbench.entry.name  # type: ignore[union-attr]
    page = Page(folders / "dora" / f"{name}.png", 640, 480)
    page_xml.write(Truth(page, (other,)), folders / "dora" / f"{name}.xml")
    second_of(window).open(folders / "dora")
    rest(window)
    assert "640 × 480 px" in panel_of(window).figures.text()
