"""What the ids of COCO results mean, and runs of which nothing fits the truth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from spotlab.formats.collection.label_file import write_labels
from spotlab.formats.runs.coco_results import complete_naming
from spotlab.formats.runs.format import Naming
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.model import LabelSet
from tests.gui.inspect.inspecting import calm
from tests.gui.windows import close, open_window
from tests.judging_files import box, command, points, write_run, write_truth

LABELS = LabelSet().with_label("bed").with_label("sofa")


@pytest.fixture
def plans(tmp_path: Path) -> Path:
    folder = tmp_path / "plans"
    write_truth(folder, "plan_1", box("sofa", 10, 10, 30, 30), box("bed", 60, 60, 80, 80))
    write_truth(folder, "plan_2", box("sofa", 10, 10, 30, 30))
    write_labels(folder, LABELS)
    return folder


def results(path: Path, *ids: tuple[object, object]) -> Path:
    entries = [
        {"image_id": image, "category_id": category, "bbox": [10, 10, 20, 20], "score": 0.5}
        for image, category in ids
    ]
    path.write_text(json.dumps(entries))
    return path


def annotations(path: Path) -> Path:
    content = {
        "images": [{"id": 71, "file_name": "a/plan_1.png"}, {"id": 72, "file_name": "plan_2.png"}],
        "categories": [{"id": 5, "name": "sofa"}, {"id": 6, "name": "bed"}],
    }
    path.write_text(json.dumps(content))
    return path


def recall(folder: Path, run: Path, *more: object) -> float:
    out = folder.parent / "out.json"
    arguments = ("--truth", folder, "--run", run, "--draws", 0, "--json", out, *more)
    assert command("evaluate", *arguments) == 0
    return float(json.loads(out.read_text())["runs"][0]["queries"]["sofa"]["area_recall"])


def test_an_annotation_file_names_the_ids(plans: Path, tmp_path: Path) -> None:
    run = results(tmp_path / "run.json", (71, 5), (72, 5))
    naming = annotations(tmp_path / "annotations.json")
    assert recall(plans, run, "--naming", naming) == pytest.approx(1)
    arguments = ("--truth", plans, "--run", run, "--naming", naming, "--draws", 1)
    assert command("scalability", *arguments) == 0
    assert command("annotators", "--annotator", plans, "--run", run, "--naming", naming) == 0


def test_page_numbers_and_the_label_list_name_the_ids(plans: Path, tmp_path: Path, capsys) -> None:
    assert recall(plans, results(tmp_path / "run.json", (1, 2), (2, 2))) == pytest.approx(1)
    said = capsys.readouterr().out
    assert "image ids are used as page numbers: 1 is plan_1" in said
    assert "category ids are used as positions in the label list: 2 is sofa" in said


def test_our_own_export_names_them_alike(plans: Path, tmp_path: Path) -> None:
    truth = tmp_path / "truth.json"
    assert command("convert", plans, truth) == 0
    content = json.loads(truth.read_text())
    file = tmp_path / "run.json"
    file.write_text(json.dumps([{**each, "score": 1.0} for each in content["annotations"]]))
    assert recall(plans, file) == pytest.approx(1)


@pytest.mark.parametrize(
    ("pages", "ids", "found"),
    [
        (("plan_1", "plan_2"), {1}, {1: "plan_1"}),
        (("000000000139", "000000000285"), {139, 285}, {139: "000000000139", 285: "000000000285"}),
        (("plan_1", "plan_3"), {1, 2}, {}),  # 2 may be the second page
        (("plan_2", "plan_4"), {2}, {}),  # 2 may be the second page, plan_4
        (("plan_1", "plan_2"), {0, 1}, {}),  # counted from 0
        (("a_1", "b_1"), {1}, {}),  # two pages have the number
        (("plan", "plan_2"), {2}, {}),
        (("plan_1", "plan_2"), {"1"}, {}),
    ],
)
def test_image_ids_are_numbers_only_where_that_is_the_only_reading(
    pages: tuple[str, ...], ids: set[object], found: dict[object, str]
) -> None:
    naming, remarks = complete_naming(Naming(pages=pages), ids, set())
    assert (naming.image_ids, len(remarks)) == (found, len(found) > 0)


@pytest.mark.parametrize("ids", [{0, 1}, {1, 3}, {"1"}, {True}])
def test_category_ids_that_are_no_places_are_not_guessed(ids: set[object]) -> None:
    naming, remarks = complete_naming(Naming(labels=("bed", "sofa")), set(), ids)
    assert (naming.categories, remarks) == ({}, [])


def test_a_run_of_which_nothing_fits_is_an_error(plans: Path, tmp_path: Path, capsys) -> None:
    ids = results(tmp_path / "ids.json", (71, 5))
    pages = write_run(tmp_path / "pages.csv", ("sofa", "other", 1, points(0, 0, 9, 9)))
    queries = write_run(tmp_path / "queries.csv", ("lamp", "plan_1", 1, points(0, 0, 9, 9)))
    for run, problem in (
        (ids, "ids.json: none of its pages (1) has truth here: 71; expected pages such as plan_1"),
        (pages, "pages.csv: none of its pages (1) has truth here: other"),
        (
            queries,
            "none of its queries (1) is a label of the truth: lamp; expected queries such as",
        ),
    ):
        for name in ("evaluate", "scalability"):
            assert command(name, "--truth", plans, "--run", run) == 2
            error = capsys.readouterr().err
            assert problem in error
            assert ("--naming" in error) == (run is ids)


def test_an_annotation_file_that_names_nothing(plans: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "empty.json").write_text("{}")
    run = results(tmp_path / "run.json", (1, 1))
    arguments = ("--truth", plans, "--run", run, "--naming", tmp_path / "empty.json")
    assert command("evaluate", *arguments) == 2
    assert "empty.json: it has neither images nor categories" in capsys.readouterr().err


def test_the_window_asks_for_the_annotation_file(
    plans: Path, tmp_path: Path, qapp: QApplication
) -> None:
    run = results(tmp_path / "run.json", (71, 5), (72, 5))
    naming = annotations(tmp_path / "annotations.json")
    window = open_window(tmp_path, plans)
    inspection = window.workbench.state(Inspection)
    inspection.runs.open([run])
    calm()
    assert window.banner.isVisible()
    assert "none of its pages (2) has truth here: 71, 72" in window.banner.text.text()
    (button,) = window.banner.findChildren(QPushButton)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    (dialog,) = window.findChildren(QFileDialog)
    dialog.selectFile(str(naming))
    dialog.accept()
    calm()
    assert not window.banner.isVisible()
    (named,) = inspection.runs
    assert named.figures is not None
    assert named.figures.mean["area_recall"] == pytest.approx(0.5)  # both sofas, not the bed
    inspection.runs.close(0)
    inspection.runs.open([run])  # what was chosen is remembered
    calm()
    assert inspection.runs[0].naming == naming and not window.banner.isVisible()
    close(window)
