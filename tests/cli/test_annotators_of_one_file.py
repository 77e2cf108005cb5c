"""An export with the work of several annotators is compared, evaluated and converted by person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import spotlab
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.rows.reading import Reading
from spotlab.studies.tally.truth import read_truths
from tests.judging_files import command, points, write_run

ANNA = {"id": 7, "email": "anna@example.org", "first_name": "Anna"}
BEN = {"id": 8, "email": "ben@example.org"}


def box(label: str, left: float, width: float) -> dict[str, Any]:
    """A box of 100 px height on a page of 400 × 200 px; places in px."""
    value = {"x": left / 4, "y": 10, "width": width / 4, "height": 50, "rectanglelabels": [label]}
    return {"id": f"{label}{left}", "type": "rectanglelabels", "value": value,
            "original_width": 400, "original_height": 200}  # fmt: skip


def annotation(by: object, day: int, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"completed_by": by, "updated_at": f"2026-01-0{day}", "result": list(results), **more}


def task(name: str, *annotations: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"data": {"image": name}, "annotations": list(annotations), **more}


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Anna has seen both pages, Ben the first one, where he has corrected himself."""
    folder = tmp_path / "project"
    folder.mkdir()
    for name in ("one.png", "two.png"):
        Image.new("L", (400, 200), 255).save(folder / name)
    tasks = [
        task("one.png", annotation(ANNA, 1, box("bed", 0, 100)),
             annotation(BEN, 2, box("sofa", 0, 40)), annotation(BEN, 3, box("bed", 0, 200)),
             annotation(BEN, 9, was_cancelled=True)),
        task("two.png", annotation(ANNA, 4, box("bed", 200, 100)),
             predictions=[{"model_version": "m", "result": [box("bed", 0, 400)]}]),
    ]  # fmt: skip
    path = folder / "export.json"
    path.write_text(json.dumps(tasks))
    return path


def areas(path: Path, annotator: str = "") -> dict[str, list[float]]:
    truths = read_truths([path], annotator=annotator).truths
    return {name: [region.area for region in truth.regions] for name, truth in truths.items()}


def test_each_person_is_read_alone(export: Path) -> None:
    assert areas(export) == {"one": [20000], "two": [10000]}  # the latest
    assert areas(export, "anna@example.org") == {"one": [10000], "two": [10000]}
    assert areas(export, "7") == areas(export, "anna@example.org")
    assert areas(export, "ben@example.org") == {"one": [20000]}  # has not seen the other


@pytest.mark.parametrize("form", ["numbers", "texts"])
def test_people_may_be_numbers_or_names(export: Path, form: str) -> None:
    content = json.loads(export.read_text())
    for each in content:
        for one in each["annotations"]:
            by = one["completed_by"]
            one["completed_by"] = by["id"] if form == "numbers" else by["email"]
    export.write_text(json.dumps(content))
    assert areas(export, "8" if form == "numbers" else "ben@example.org") == {"one": [20000]}


def test_rows_of_json_min_are_annotations(export: Path) -> None:
    rows = []
    for at, each in enumerate(json.loads(export.read_text())):
        for number, one in enumerate(each["annotations"]):
            values = [{**result["value"], "original_width": 400, "original_height": 200}
                      for result in one["result"]]  # fmt: skip
            if values:
                rows.append({"image": each["data"]["image"], "id": at, "annotator": one[
                    "completed_by"]["id"], "annotation_id": 10 * at + number, "label": values,
                    "updated_at": one["updated_at"]})  # fmt: skip
    export.write_text(json.dumps(rows))
    assert known_formats()["label-studio"].sniff(export, export.read_bytes()[:4096])
    assert areas(export) == {"one": [20000], "two": [10000]}
    assert areas(export, "8") == {"one": [20000]}
    assert areas(export, "7") == {"one": [10000], "two": [10000]}


def test_the_agreement_of_one_file(export: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(export.parent.parent / "run.csv", ("bed", "one", 0.9, points(0, 20, 100, 120)))
    assert command("annotators", "--annotator", export, "--run", run) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "anna@example.org: 2 of 2 pages, 2 regions" in lines
    assert "ben@example.org: 1 of 2 pages, 1 region" in lines
    assert any("1.000" in line and ".667" in line for line in lines)  # half of what Ben has drawn


def test_a_third_person_in_a_folder_of_their_own(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    eve = tmp_path / "eve"
    assert command("convert", export, eve, "--to", "page", "--annotator", "8") == 0
    capsys.readouterr()
    assert command("annotators", "--annotator", export, "--annotator", eve) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("anna@example.org: ", "ben@example.org: ", "eve: "))


def test_one_is_converted_and_evaluated(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "anna.json"
    assert command("convert", export, target, "--to", "coco",
                   "--annotator", "anna@example.org") == 0  # fmt: skip
    assert "several annotators" not in capsys.readouterr().out
    written = json.loads(target.read_text())
    assert [each["area"] for each in written["annotations"]] == [10000, 10000]
    run = write_run(tmp_path / "run.csv", ("bed", "one", 0.9, points(0, 20, 100, 120)))
    recalls = [
        spotlab.evaluate(export, run, annotator=name).frame()["area_recall"][0]
        for name in ("anna@example.org", "ben@example.org")
    ]
    assert recalls == [0.5, 0.5]
    assert command("evaluate", "--truth", export, "--run", run) == 0
    assert "of whom one can be chosen (first: anna@example.org, ben@example.org)" in (
        capsys.readouterr().out
    )


def test_who_is_not_in_it_is_refused(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        command("convert", export, tmp_path / "x.json", "--to", "coco", "--annotator", "eve") == 2
    )
    told = capsys.readouterr().err
    assert "'eve' has annotated nothing in it" in told
    assert "anna@example.org, ben@example.org" in told
    coco = tmp_path / "one.json"
    assert command("convert", export, coco, "--to", "coco") == 0
    assert command("convert", coco, tmp_path / "y.json", "--to", "coco", "--annotator", "anna") == 2
    assert "COCO does not name annotators" in capsys.readouterr().err


def test_a_file_of_one_annotator_says_nothing(export: Path) -> None:
    content = json.loads(export.read_text())
    del content[0]["annotations"][1:]
    export.write_text(json.dumps(content))
    reading = Reading()
    known_formats()["label-studio"].read_file(export, reading)
    assert not [str(each) for each in reading.findings if "annotator" in str(each)]


def test_users_of_labelme_of_mit_are_annotators(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All polygons are the truth; each is its user's, too."""
    Image.new("L", (400, 200), 255).save(tmp_path / "one.png")
    pairs = (("bed", "anna", 100), ("sofa", "ben", 40), ("bed", "ben", 200))
    objects = "".join(
        f"<object><name>{name}</name><polygon><username>{user}</username>"
        + "".join(f"<pt><x>{x}</x><y>{y}</y></pt>" for x, y in ((0, 0), (width, 0), (width, 100)))
        + "</polygon></object>" for name, user, width in pairs
    )  # fmt: skip
    path = tmp_path / "one.xml"
    path.write_text(f"<annotation><filename>one.png</filename>{objects}<imagesize>"
                    "<nrows>200</nrows><ncols>400</ncols></imagesize></annotation>")  # fmt: skip
    assert areas(path) == {"one": [5000, 2000, 10000]}
    assert areas(path, "ben") == {"one": [2000, 10000]}
    assert command("annotators", "--annotator", path) == 0
    shown = capsys.readouterr().out
    assert "anna" in shown and "ben" in shown
    assert command("convert", path, tmp_path / "o.json", "--annotator", "carl") == 2
    assert "'carl' has annotated nothing in it" in capsys.readouterr().err
