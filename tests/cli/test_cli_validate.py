"""`spotlab validate`: findings on standard output, and one line more if any is an error."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image

from spotlab.cli import root
from spotlab.editing.collection_step import rename_label
from spotlab.editing.unfinished import NAME, write_unfinished
from spotlab.formats.truth import page_xml
from spotlab.model import LabelSet, Page, Region, Truth
from spotlab.studies.tally.truth import read_truths

SOFA = Region(((10, 10), (40, 10), (40, 30), (10, 30)), "sofa", "r1")
OUTSIDE = Region(((90, 90), (120, 90), (120, 99)), "bed", "r2")


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        root.main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


def write_page(folder: Path, name: str, *regions: Region) -> Path:
    folder.mkdir(exist_ok=True)
    image = folder / f"{name}.png"
    Image.new("1", (100, 100), 1).save(image)
    truth = image.with_suffix(".xml")
    page = Truth(Page(image, 100, 100), regions)
    truth.write_bytes(page_xml.serialise(page, datetime(2024, 5, 1, tzinfo=UTC)))
    return truth


def test_good_truth_is_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_page(tmp_path, "one", SOFA)
    write_page(tmp_path, "two", SOFA)
    assert run("validate", tmp_path) == 0
    assert capsys.readouterr() == ("2 pages with truth, 0 errors, 0 warnings\n", "")


def test_an_error_is_named_and_ends_in_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = write_page(tmp_path, "one", SOFA, OUTSIDE)
    assert run("validate", truth) == 2
    out, err = capsys.readouterr()
    assert f"{truth}: error: 'bed' at (105, 94) extends 20 px beyond" in out
    assert out.endswith("1 page with truth, 1 error, 0 warnings\n")
    assert err.startswith(f"spotlab: 1 error; the first: {truth}: error: 'bed'")
    assert err.count("\n") == 1


def test_a_warning_does_not_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_page(tmp_path, "one", Region(SOFA.points, "", "r1"))
    assert run("validate", tmp_path) == 0
    assert "1 warning\n" in capsys.readouterr().out


def test_a_damaged_file_does_not_hide_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = write_page(tmp_path, "one", SOFA)
    damaged.write_bytes(damaged.read_bytes()[:-30])
    write_page(tmp_path, "two", OUTSIDE)
    assert run("validate", tmp_path) == 2
    out, _ = capsys.readouterr()
    assert f"{damaged}, line " in out
    assert "'bed'" in out
    assert "1 page with truth, 2 errors" in out


def test_a_damaged_image_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = write_page(tmp_path, "one", SOFA).with_suffix(".png")
    image.write_bytes(b"no image")
    assert run("validate", tmp_path) == 2
    assert str(image) in capsys.readouterr().err


def test_json_on_standard_output_is_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_page(tmp_path, "one", SOFA, OUTSIDE)
    assert run("validate", tmp_path, "--json", "-") == 2
    result = json.loads(capsys.readouterr().out)
    assert (result["errors"], result["warnings"]) == (1, 0)
    [page] = result["pages"]
    assert page["regions"] == 2
    [finding] = page["findings"]
    assert (finding["severity"], finding["region"]) == ("error", "r2")


def test_json_goes_to_a_file_or_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_page(tmp_path / "plans", "one", SOFA)
    assert run("validate", tmp_path / "plans", "--json", tmp_path / "report.json") == 0
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["pages"][0]["regions"] == 1
    assert run("validate", tmp_path / "plans", "--json", tmp_path / "no" / "report.json") == 2
    assert "was not saved" in capsys.readouterr().err


def test_what_is_no_page_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("milk, eggs")
    assert run("validate", tmp_path / "notes.txt") == 2
    err = capsys.readouterr().err
    assert "notes.txt" in err and err.count("\n") == 1


def test_an_unfinished_step_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = write_page(tmp_path, "one", SOFA)
    labels = LabelSet().with_label("sofa")
    write_unfinished(rename_label(labels, "sofa", "couch", tmp_path, {truth: ["r1"]}))
    for path in (tmp_path, truth):
        assert run("validate", path) == 2
        out = capsys.readouterr().out
        assert f"{tmp_path / NAME}: “Rename sofa to couch” on 1 page was interrupted" in out
        assert out.endswith("1 page with truth, 1 error, 0 warnings\n")
    assert run("validate", tmp_path, "--json", "-") == 2
    assert len(json.loads(capsys.readouterr().out)["unfinished"]) == 1
    assert "Rename sofa" in read_truths([tmp_path]).remarks[0]
