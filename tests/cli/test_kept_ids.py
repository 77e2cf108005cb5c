"""Ids of COCO stay with truth that was imported, so that results need no annotation file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

import spotlab
from spotlab.formats.collection.label_file import read_labels
from spotlab.formats.truth import page_xml
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.window.dialogs.file_dialogs import import_files
from tests.gui import labelled_pages
from tests.gui.inspect.inspecting import calm
from tests.gui.windows import close, open_window
from tests.judging_files import command

NAMES = {"hall": 71, "attic": "a-9", "cellar": 5}
BOX = [10, 10, 20, 20]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "plans"
    folder.mkdir()
    for name in NAMES:
        Image.fromarray(np.full((100, 100), 255, np.uint8)).save(folder / f"{name}.png")
    return annotations(folder / "annotations.json", NAMES, {40: "sofa", 7: "bed", 9: "unused"})


def annotations(path: Path, images: dict[str, object], categories: dict[object, str]) -> Path:
    ids = list(categories)
    content = {
        "images": [
            {"id": id, "file_name": f"{name}.png", "width": 100, "height": 100}
            for name, id in images.items()
        ],
        "categories": [{"id": id, "name": name} for id, name in categories.items()],
        "annotations": [
            {"id": at, "image_id": id, "category_id": ids[at % 2], "bbox": BOX}
            for at, id in enumerate(images.values())
        ],
    }
    path.write_text(json.dumps(content))
    return path


def results(path: Path, *ids: tuple[object, object]) -> Path:
    ids = ids or ((71, 40), ("a-9", 7), (5, 40))
    entries = [
        {"image_id": image, "category_id": category, "bbox": BOX, "score": 0.5}
        for image, category in ids
    ]
    path.write_text(json.dumps(entries))
    return path


def recalls(truth: Path, run: Path) -> dict[str, float]:
    out = run.with_suffix(".out.json")
    assert command("evaluate", "--truth", truth, "--run", run, "--draws", 0, "--json", out) == 0
    queries = json.loads(out.read_text())["runs"][0]["queries"]
    return {name: values["area_recall"] for name, values in queries.items()}


def test_results_need_no_annotation_file_after_a_conversion(source: Path, tmp_path: Path) -> None:
    run = results(tmp_path / "run.json")
    assert recalls(source, run) == pytest.approx({"bed": 1, "sofa": 1})
    assert command("convert", source, source.parent, "--to", "page") == 0
    source.unlink()
    moved = source.parent.rename(tmp_path / "elsewhere")
    assert recalls(moved, run) == pytest.approx({"bed": 1, "sofa": 1})
    [result] = spotlab.evaluate(moved, run, draws=0).as_dict()["runs"]
    assert result["queries"]["sofa"]["area_recall"] == pytest.approx(1)


def test_ids_come_back_as_they_were(source: Path, tmp_path: Path) -> None:
    assert command("convert", source, source.parent, "--to", "page") == 0
    source.unlink()
    assert command("convert", source.parent, tmp_path / "back.json", "--to", "coco") == 0
    content = json.loads((tmp_path / "back.json").read_text())
    images = {Path(each["file_name"]).stem: each["id"] for each in content["images"]}
    assert (images["hall"], images["cellar"], images["attic"]) == (71, 5, 1)  # COCO has numbers
    categories = {each["name"]: each["id"] for each in content["categories"]}
    assert categories == {"sofa": 40, "bed": 7, "unused": 9}


def test_drawing_keeps_the_ids(source: Path, tmp_path: Path) -> None:
    assert command("convert", source, source.parent, "--to", "page") == 0
    file = source.parent / "hall.xml"
    truth = page_xml.read(file)
    page = type(truth.page)(truth.page.image, 100, 100)  # as a program that knows no ids has it
    labels = type(truth.labels)().with_label("sofa", "#123456").with_label("lamp")
    page_xml.write(type(truth)(page, (), labels, truth.source), file)
    again = page_xml.read(file)
    assert again.page.image_id == 71
    assert [(label.name, label.number) for label in again.labels] == [("sofa", 40), ("lamp", None)]


def test_ids_that_two_imports_give_to_different_things_are_said_and_not_used(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = source.parent
    Image.fromarray(np.full((100, 100), 255, np.uint8)).save(folder / "shed.png")
    other = annotations(folder / "more.json", {"shed": 71}, {40: "lamp"})
    for file in (source, other):
        assert command("convert", file, folder, "--to", "page") == 0
        file.unlink()
    run = results(tmp_path / "run.json", (71, 40))
    capsys.readouterr()
    assert command("evaluate", "--truth", folder, "--run", run, "--draws", 0) == 2
    assert "none of its pages (1) has truth here: 71" in capsys.readouterr().err
    run = results(tmp_path / "run.json", (5, 7), ("a-9", 7))
    assert command("evaluate", "--truth", folder, "--run", run, "--draws", 0) == 0
    said = capsys.readouterr().out
    assert "image_id 71 means different things in the truth files: hall, shed" in said
    assert "category_id 40 means different things in the truth files: lamp, sofa" in said


def test_the_window_asks_nothing_after_an_import(
    source: Path, tmp_path: Path, qapp: QApplication
) -> None:
    run, folder = results(tmp_path / "run.json"), source.parent
    window = open_window(tmp_path, folder)
    import_files(window, [source], folder)
    calm()
    source.unlink()
    inspection = window.workbench.state(Inspection)
    inspection.runs.open([run])
    calm()
    (named,) = inspection.runs
    assert named.naming is None and not named.misfit
    assert named.figures is not None
    assert named.figures.mean["area_recall"] == pytest.approx(1)
    window.workbench.open_page(next(
        at for at, entry in enumerate(window.workbench.entries) if entry.name == "hall"
    ))  # fmt: skip
    calm()
    assert window.workbench.collection.write_labels()
    assert read_labels(folder)["sofa"].number == 40
    labelled_pages.rename(window, "sofa", "couch")
    calm()
    inspection.runs.close(0)
    inspection.runs.open([run])
    calm()
    assert set(inspection.runs[0].run.queries) == {"couch", "bed"}
    close(window)
    assert recalls(folder, run) == pytest.approx({"bed": 1, "couch": 1})
