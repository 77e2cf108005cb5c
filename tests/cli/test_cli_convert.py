"""`spotlab convert`: from every format to every other, or one line and nothing written."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image

from spotlab.cli import root
from spotlab.formats.truth import page_xml
from spotlab.model import Page, Region, Truth

SOFA = Region(((10, 10), (40, 10), (40, 30), (10, 30)), "sofa", "r1")


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        root.main(["convert", *map(str, arguments)])
    return int(ended.value.code or 0)


@pytest.fixture
def plans(tmp_path: Path) -> Path:
    folder = tmp_path / "plans"
    folder.mkdir()
    for name in ("one", "two"):
        image = folder / f"{name}.png"
        Image.new("1", (100, 100), 1).save(image)
        truth = Truth(Page(image, 100, 100), (SOFA,))
        image.with_suffix(".xml").write_bytes(
            page_xml.serialise(truth, datetime(2024, 5, 1, tzinfo=UTC))
        )
    return folder


def test_a_folder_becomes_one_file_and_folders_again(
    plans: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    coco = tmp_path / "plans.json"
    assert run(plans, coco) == 0
    assert "wrote 2 regions on 2 pages" in capsys.readouterr().out
    assert len(json.loads(coco.read_text("utf-8"))["images"]) == 2
    for name, suffix in (("page", ".xml"), ("labelme", ".json"), ("voc", ".xml")):
        assert run(coco, tmp_path / name, "--to", name) == 0
        written = sorted(file.name for file in (tmp_path / name).iterdir())
        assert written == [f"one{suffix}", f"two{suffix}"]
    assert page_xml.read(tmp_path / "page" / "one.xml").regions[0].points == SOFA.points


def test_files_in_the_way_are_named_with_the_option_that_replaces_them(
    plans: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "voc" / "one.xml"
    target.parent.mkdir()
    target.write_text("mine")
    assert run(plans, target.parent, "--to", "voc") == 2
    error = capsys.readouterr().err
    assert "one.xml: the file already exists; expected another place, or --overwrite" in error
    assert target.read_text() == "mine"
    assert run(plans, target.parent, "--to", "voc", "--overwrite") == 0


def test_a_file_in_the_way_is_replaced_only_when_asked(
    plans: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "plans.json"
    target.write_text("mine")
    assert run(plans, target) == 2
    error = capsys.readouterr().err
    assert "plans.json: the file already exists; expected another place, or --overwrite" in error
    assert target.read_text() == "mine"
    assert run(plans, target, "--overwrite") == 0
    assert len(json.loads(target.read_text("utf-8"))["images"]) == 2


def test_the_formats_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--formats") == 0
    listed = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert {"page", "coco", "labelme", "voc", "alto", "cvc-fp", "bpmn"} <= listed.keys()
    assert listed["coco"].endswith("written") and listed["alto"].endswith(" read")


@pytest.mark.parametrize(
    ("source", "target", "to", "named"),
    [
        ("plans", "out", "docx", "docx"),
        ("plans", "out", "bpmn", "can only be read"),
        ("plans", "out.docx", None, ".docx"),
        ("nowhere", "out.json", None, "nowhere"),
        ("broken.xml", "out.json", None, "broken.xml"),
        ("notes.txt", "out.json", None, "notes.txt"),
    ],
)
def test_what_cannot_be_converted_is_one_line_and_leaves_nothing(
    source: str,
    target: str,
    to: str | None,
    named: str,
    plans: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "broken.xml").write_bytes((plans / "one.xml").read_bytes()[:300])
    (tmp_path / "notes.txt").write_text("milk, eggs")
    before = sorted(tmp_path.rglob("*"))
    assert run(tmp_path / source, tmp_path / target, *(["--to", to] if to else [])) == 2
    err = capsys.readouterr().err
    assert named in err and err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_target_that_cannot_be_written_is_one_line(
    plans: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("a file, no folder")
    assert run(plans, tmp_path / "taken" / "plans.json") == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert (tmp_path / "taken").read_text() == "a file, no folder"


def test_a_data_set_is_written(
    plans: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "set"
    options = ("--to", "yolo", "--split", "50/50", "--seed", 2, "--images", "link")
    assert run(plans, out, *options, "--labels", "sofa, sink") == 0
    said = capsys.readouterr().out
    assert "no region has the label 'sink'" in said
    assert "wrote 2 regions on 2 pages" in said
    assert len(list(out.glob("labels/*/*.txt"))) == len(list(out.glob("images/*/*.png"))) == 2
    assert run(plans, tmp_path / "other", "--split", "half") == 2
    assert "--split is 'half'; expected two or three numbers" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


def test_checked_pages_only(
    plans: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(plans, tmp_path / "all.json", "--checked") == 0
    assert "2 pages were left out that are not marked as checked" in capsys.readouterr().out
