"""Export, import and copies of the truth, through the dialogs."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QMessageBox,
    QPushButton,
)

from spotlab.formats.collection.dataset import Images
from spotlab.formats.truth import page_xml
from spotlab.gui.window.dialogs.export_dialog import PAUSE, ExportDialog
from spotlab.gui.window.main_window import MainWindow
from tests.formats.foreign_files import workspace
from tests.gui import windows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return windows.write_pages(tmp_path / "plans")


@pytest.fixture
def window(tmp_path: Path, folder: Path, lasting: MainWindow) -> MainWindow:
    window = windows.begin_anew(lasting, folder)
    windows.add(window, "sofa")
    window.workbench.save()
    windows.settle()
    return window


def choose(window: MainWindow, id: str, path: Path, *more: Path, kind: str = "") -> None:
    """Open a dialog by its action, choose a path, or several in a folder, and accept."""
    assert window.actions_by_id.trigger(id)
    [dialog] = [each for each in window.findChildren(QFileDialog) if each.isVisible()]
    if kind:
        [filter] = [each for each in dialog.nameFilters() if kind in each]
        dialog.selectNameFilter(filter)
    dialog.setDirectory(str(path.parent))
    if more:
        names = " ".join(f'"{each.name}"' for each in (path, *more))
        edit = dialog.findChild(QLineEdit)
        assert edit is not None
        edit.setText(names)  # as a click and one with Ctrl in the list write it
    else:
        dialog.selectFile(str(path))
    dialog.accept()
    windows.settle()


def choose_folder(window: MainWindow, folder: Path) -> None:
    """Choose a folder in the dialog that is open, as typing its path does."""
    [dialog] = [each for each in window.findChildren(QFileDialog) if each.isVisible()]
    edit = dialog.findChild(QLineEdit)
    assert edit is not None
    edit.setText(str(folder))
    dialog.accept()
    windows.settle()


def answer(window: MainWindow, asked: str, button: str) -> str:
    """Click a button of the question that is asked; gives what it says further."""
    [question] = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert question.text() == asked
    more = question.informativeText()
    [wanted] = [each for each in question.buttons() if each.text() == button]
    QTest.mouseClick(wanted, Qt.MouseButton.LeftButton)
    windows.settle()
    return more


def open_export(window: MainWindow) -> ExportDialog:
    """Open the dialog by its action, and wait until it knows the pages."""
    assert window.actions_by_id.trigger("file.export")
    [dialog] = [each for each in window.findChildren(ExportDialog) if each.isVisible()]
    windows.settle()
    return dialog


def choose_format(dialog: ExportDialog, name: str) -> None:
    """Choose a format in its box, as a click on the list does."""
    box = dialog.form.format
    place = [format.name for format in box.values].index(name)
    box.setCurrentIndex(place)
    box.activated.emit(place)


def previewed(dialog: ExportDialog) -> str:
    QTest.qWait(PAUSE + 50)
    windows.settle()
    return dialog.summary.text()


def export(window: MainWindow, target: Path) -> None:
    """Write COCO to this file."""
    dialog = open_export(window)
    choose_format(dialog, "coco")
    dialog.form.target.setText(str(target))
    previewed(dialog)
    QTest.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    windows.settle()


def test_the_collection_is_exported(window: MainWindow, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    export(window, target)
    content = json.loads(target.read_text())
    assert [each["name"] for each in content["categories"]] == ["sofa"]
    assert len(content["annotations"]) == 1
    assert not window.findChildren(ExportDialog)


def test_what_is_not_saved_yet_is_exported_too(window: MainWindow, tmp_path: Path) -> None:
    windows.add(window, "sink", left=150)
    target = tmp_path / "out.json"
    export(window, target)
    assert len(json.loads(target.read_text())["annotations"]) == 2


def test_an_export_that_fails_says_why(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    export(window, tmp_path / "file" / "out.json")
    [dialog] = window.findChildren(ExportDialog)
    assert dialog.summary.text().startswith("Nothing was written. ")
    assert dialog.form.isEnabled()
    dialog.reject()


def test_files_in_the_way_are_named_with_the_box_that_replaces_them(
    window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "voc").mkdir()
    (tmp_path / "voc" / "page_1.xml").write_text("mine")
    dialog = open_export(window)
    choose_format(dialog, "voc")
    dialog.form.target.setText(str(tmp_path / "voc"))
    previewed(dialog)
    QTest.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    windows.settle()
    assert dialog.summary.text() == (
        "Nothing was written. page_1.xml: the file already exists. "
        f"Choose another folder, or tick “{dialog.form.replace.text()}”."
    )
    assert (tmp_path / "voc" / "page_1.xml").read_text() == "mine"
    QTest.mouseClick(dialog.form.replace, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    previewed(dialog)
    QTest.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    windows.settle()
    assert "sofa" in (tmp_path / "voc" / "page_1.xml").read_text()


def test_a_data_set_says_before_what_is_lost(window: MainWindow, tmp_path: Path) -> None:
    dialog = open_export(window)
    choose_format(dialog, "yolo")
    form = dialog.form
    assert form.images.value is Images.COPY  # YOLO is of no use without them
    assert form.target.text() == str(tmp_path / "plans-yolo")
    assert previewed(dialog) == "Writes 1 page with 1 region."
    assert "•  1 page without truth" in dialog.details.text()
    form.images.setCurrentIndex(0)
    form.images.activated.emit(0)
    previewed(dialog)
    assert "•  images are needed in images and are not copied" in dialog.details.text()
    form.images.setCurrentIndex(1)
    form.images.activated.emit(1)
    form.split.setChecked(True)
    form.shares[2].setValue(0)
    assert previewed(dialog) == "Writes 1 page with 1 region: train 1, val 0."
    QTest.mouseClick(form.no_labels, Qt.MouseButton.LeftButton)
    previewed(dialog)
    assert "•  1 region of other labels was left out" in dialog.details.text()
    QTest.mouseClick(form.all_labels, Qt.MouseButton.LeftButton)
    previewed(dialog)
    QTest.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    windows.settle()
    assert (tmp_path / "plans-yolo" / "labels" / "train" / "page_1.txt").read_text()[:2] == "0 "
    assert (tmp_path / "plans-yolo" / "images" / "train" / "page_1.png").is_file()
    again = open_export(window)  # it is there, and the format is remembered
    assert "plans-yolo is there already" in previewed(again)
    assert not again.accept_button.isEnabled()
    again.form.replace.setChecked(True)
    assert previewed(again) == "Writes 1 page with 1 region."
    assert again.accept_button.isEnabled()
    again.reject()


def test_checked_and_shown_pages_can_be_chosen(window: MainWindow) -> None:
    window.workbench.shown.show(["page_2"])
    dialog = open_export(window)
    pages = dialog.form.pages
    assert [pages.itemText(place) for place in range(3)] == [
        "All (1)", "Shown in the page list (0)", "Checked (0)",
    ]  # fmt: skip
    pages.setCurrentIndex(1)
    pages.activated.emit(1)
    assert previewed(dialog) == "No page is chosen."
    assert not dialog.accept_button.isEnabled()
    dialog.reject()


def test_truth_of_another_format_comes_in(window: MainWindow, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    export(window, target)
    other = windows.write_pages(tmp_path / "other")
    copied = other / "truth.json"
    copied.write_text(target.read_text())
    choose(window, "file.import", copied)
    answer(window, "Import truth.json?", "Import")
    assert window.workbench.collection.folder == other
    assert [region.label for region in window.workbench.document or ()] == ["sofa"]


def test_several_files_come_in_together(window: MainWindow, tmp_path: Path) -> None:
    other = windows.write_pages(tmp_path / "other")
    drawings = []
    for number in (1, 2):
        drawing = other / f"page_{number}_gt_3.svg"  # as CVC-FP is published
        drawing.write_text(
            '<svg xmlns="http://www.w3.org/2000/svg"><width>320</width><height>240</height>'
            '<polygon class="Door" points="10,10 60,10 60,60 10,60"/></svg>'
        )
        drawings.append(drawing)
    choose(window, "file.import", *drawings)
    answer(window, "Import 2 files?", "Import")
    assert window.workbench.collection.folder == other
    assert [region.label for region in window.workbench.document or ()] == ["Door"]
    assert len(page_xml.read(other / "page_2.xml").regions) == 1


def test_a_copy_of_the_truth(window: MainWindow, tmp_path: Path) -> None:
    choose(window, "file.save_copy", tmp_path / "copy.xml")
    assert [region.label for region in page_xml.read(tmp_path / "copy.xml").regions] == ["sofa"]


def test_a_folder_is_chosen(window: MainWindow, tmp_path: Path) -> None:
    other = windows.write_pages(tmp_path / "other", 3)
    choose(window, "file.open_folder", other)
    assert len(window.workbench.entries) == 3


def test_truth_of_another_program_is_imported_when_it_is_opened(
    window: MainWindow, tmp_path: Path
) -> None:
    other = windows.write_pages(tmp_path / "other")
    (other / "page_1.txt").write_text("0 0.5 0.5 0.25 0.25\n")
    (other / "classes.txt").write_text("sofa\n")
    window.open_paths([other / "page_1.txt"])
    more = answer(window, "Import page_1.txt?", "Import")
    assert more.startswith("This is YOLO boxes") and "into the same folder" in more
    assert window.workbench.collection.folder == other
    assert [region.label for region in window.workbench.document or ()] == ["sofa"]


def test_annotations_from_elsewhere_come_to_the_images_that_are_open(
    window: MainWindow, tmp_path: Path
) -> None:
    plans = window.workbench.collection.folder
    assert plans is not None
    annotations = tmp_path / "download" / "instances.json"
    annotations.parent.mkdir()
    annotations.write_text(
        json.dumps({
            "images": [{"id": 7, "file_name": "page_2.png", "width": 320, "height": 240}],
            "categories": [{"id": 1, "name": "bath"}],
            "annotations": [{"image_id": 7, "category_id": 1, "bbox": [10, 10, 50, 40]}]})
    )  # fmt: skip
    window.open_paths([plans / "page_2.png"])
    windows.settle()
    choose(window, "file.import", annotations)
    assert str(plans) in answer(window, "Import instances.json?", "Import")
    assert window.workbench.collection.folder == plans
    assert [entry.image.name for entry in window.workbench.entries] == ["page_2.png"]
    assert [region.label for region in window.workbench.document or ()] == ["bath"]
    assert [path.name for path in annotations.parent.iterdir()] == ["instances.json"]


def test_an_import_can_go_elsewhere_and_nothing_is_written_unasked(
    window: MainWindow, tmp_path: Path
) -> None:
    other = windows.write_pages(tmp_path / "other")
    (other / "page_1.txt").write_text("0 0.5 0.5 0.25 0.25\n")
    (other / "classes.txt").write_text("sofa\n")
    before = sorted(other.iterdir())
    choose(window, "file.import", other / "page_1.txt")
    answer(window, "Import page_1.txt?", "Cancel")
    assert sorted(other.iterdir()) == before
    (tmp_path / "mine").mkdir()
    choose(window, "file.import", other / "page_1.txt")
    answer(window, "Import page_1.txt?", "Other folder…")
    choose_folder(window, tmp_path / "mine")
    assert sorted(other.iterdir()) == before
    assert window.workbench.collection.folder == tmp_path / "mine"
    assert [region.label for region in window.workbench.document or ()] == ["sofa"]


def test_an_archive_is_unpacked_where_it_is_asked_to(window: MainWindow, tmp_path: Path) -> None:
    other = windows.write_pages(tmp_path / "other")
    annotations = (
        '<annotations><image name="page_1.png" width="320" height="240"><box label="sofa" '
        'xtl="5" ytl="5" xbr="60" ybr="40"/></image></annotations>'
    )
    path = tmp_path / "task 7.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("annotations.xml", annotations)
        archive.write(other / "page_1.png", "images/page_1.png")
    (tmp_path / "mine").mkdir()
    window.open_paths([path])
    answer(window, "Unpack task 7.zip?", "Choose folder…")
    choose_folder(window, tmp_path / "mine")
    unpacked = tmp_path / "mine" / "task 7"
    assert (unpacked / "images" / "page_1.png").is_file()
    assert window.workbench.collection.folder == unpacked / "images"
    assert window.banner.kind == "foreign truth"
    assert "CVAT for images (1 file)" in window.banner.text.text()


def test_files_of_another_program_that_are_called_like_those_of_page_stay(
    window: MainWindow, tmp_path: Path
) -> None:
    """Pascal VOC, too, has a file.xml beside each image."""
    folder = windows.write_pages(tmp_path / "foreign")
    box = "<bndbox><xmin>20</xmin><ymin>30</ymin><xmax>80</xmax><ymax>90</ymax></bndbox>"
    other = (
        "<annotation><filename>page_1.png</filename><size><width>320</width><height>240</height>"
        f"<depth>3</depth></size><object><name>sofa</name>{box}</object></annotation>"
    )
    (folder / "page_1.xml").write_text(other)
    window.open_paths([folder])
    windows.settle()
    assert window.banner.kind == "foreign truth"
    [button] = [each for each in window.banner.findChildren(QPushButton) if each.text() == "Import"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    windows.settle()
    assert [region.label for region in window.workbench.document or ()] == ["sofa"]
    assert (folder / "page_1.xml").read_text() == other
    assert (folder / "page_1.png.xml").is_file()


def test_an_offer_to_import_takes_no_other_strip_with_it(
    window: MainWindow, tmp_path: Path
) -> None:
    folder, other = windows.write_pages(tmp_path / "foreign"), windows.write_pages(tmp_path / "own")
    (folder / "page_1.txt").write_text("0 0.5 0.5 0.25 0.25\n")
    (folder / "classes.txt").write_text("sofa\n")
    window.open_paths([folder])
    windows.settle()
    assert window.banner.kind == "foreign truth"
    window.banner.show_error("something went wrong", "details")
    window.open_paths([other])
    windows.settle()
    assert window.banner.isVisible() and window.banner.kind == "error"
    window.open_paths([folder])
    windows.settle()
    assert window.banner.kind == "foreign truth"
    window.open_paths([other])
    windows.settle()
    assert window.banner.isVisible() and window.banner.kind == "error"  # it has waited behind
    window.banner.close_button.click()
    assert not window.banner.isVisible()


def test_a_file_group_of_mets_is_opened(window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    path = workspace(folder, "SEG", "GT")
    window.open_paths([path])
    [dialog] = [each for each in window.findChildren(QInputDialog) if each.isVisible()]
    assert dialog.textValue() == "OCR-D-GT-PAGE"
    dialog.setTextValue("OCR-D-SEG-PAGE")
    dialog.accept()
    windows.settle()
    entries = window.workbench.collection.entries
    assert [entry.truth_path.parent.name for entry in entries] == ["OCR-D-SEG-PAGE"] * 2
