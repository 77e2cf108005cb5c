"""Something in truth that cannot be read costs this item only, and is named at every door."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

import spotlab
from spotlab.errors import SpotlabError
from tests.judging_files import command, points, write_run

GOOD = {"label": "sofa", "points": [[1, 1], [30, 1], [30, 20]], "shape_type": "polygon"}
OTHER = {"label": "bed", "points": [[40, 30], [80, 30], [80, 50]], "shape_type": "polygon"}
BAD = {"label": "sofa", "points": [[1, 1], [30, 1]], "shape_type": "polygon"}


def labelme(path: Path, *shapes: dict[str, object]) -> None:
    content = {"shapes": shapes, "imagePath": f"{path.stem}.png", "imageWidth": 90,
               "imageHeight": 60}  # fmt: skip
    path.write_text(json.dumps(content))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two good files, of which one has a bad shape, and one that is truncated."""
    made = tmp_path / "plans"
    made.mkdir()
    for name in ("a", "b", "c"):
        Image.new("L", (90, 60), 255).save(made / f"{name}.png")
        labelme(made / f"{name}.json", GOOD, OTHER)
    labelme(made / "b.json", GOOD, BAD, BAD)
    content = (made / "c.json").read_text()
    (made / "c.json").write_text(content[: len(content) // 2])
    return made


def test_a_folder_is_converted_but_for_what_is_bad(folder: Path, tmp_path: Path, capsys) -> None:
    assert command("convert", folder, tmp_path / "out.json", "--to", "coco") == 0
    said, told = capsys.readouterr()
    assert "3 regions on 2 pages" in said
    assert "b.json, shapes[1]: 2 points are not an outline; expected three points; left out, as " \
        "is 1 more like it" in told  # fmt: skip
    assert "c.json, line 1: not JSON" in told and told.count("left out") == 2
    assert command("convert", folder, tmp_path / "strict.json", "--to", "coco", "--strict") == 2
    assert "b.json, shapes[1]: 2 points" in capsys.readouterr().err
    assert not (tmp_path / "strict.json").exists()


def test_a_folder_is_evaluated_but_for_what_is_bad(folder: Path, tmp_path: Path, capsys) -> None:
    run = write_run(tmp_path / "run.csv", ("sofa", "a", 1, points(0, 0, 9, 9)))
    asked = ("evaluate", "--truth", folder, "--run", run, "--draws", 0)
    assert command(*asked) == 0
    assert "c.json, line 1: not JSON" in "".join(capsys.readouterr())
    assert command(*asked, "--strict") == 2
    assert "2 points are not an outline" in capsys.readouterr().err


def test_python_has_the_findings(folder: Path) -> None:
    truth = spotlab.read_truth(folder)
    assert (len(truth), truth.regions) == (2, 3)
    assert [(each.kind, each.path.name, each.count) for each in truth.findings] == [
        ("left out", "b.json", 2), ("left out", "c.json", 1),
    ]  # fmt: skip
    assert set(map(str, truth.findings)) <= set(truth.remarks)
    with pytest.raises(SpotlabError, match="2 points are not an outline"):
        spotlab.read_truth(folder, strict=True)


def test_validate_counts_what_was_left_out_as_errors(folder: Path, capsys) -> None:
    assert command("validate", folder, "--json", "-") == 2
    found = json.loads(capsys.readouterr().out)
    assert [each["count"] for each in found["findings"]] == [2]
    assert found["errors"] == 3  # and the truncated file


def test_a_file_of_which_nothing_can_be_used_is_an_error(folder: Path, tmp_path: Path) -> None:
    labelme(folder / "b.json", BAD)
    with pytest.raises(SpotlabError, match="2 points are not an outline"):
        spotlab.read_truth(folder / "b.json")
    assert spotlab.read_truth(folder).pages == ("a",)
    for path in folder.glob("*.json"):
        path.write_text('{"shapes": [')
    assert command("convert", folder, tmp_path / "out") == 2
    assert not (tmp_path / "out").exists()


def test_a_region_of_page_that_cannot_be_read_is_named_by_validate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Image.new("L", (90, 60), 255).save(tmp_path / "a.png")
    regions = "".join(
        f'<TextRegion id="{id}"><Coords points="{outline}"/></TextRegion>'
        for id, outline in (("good", "1,1 30,1 30,20"), ("bad", "1,1 x 30,20"))
    )
    (tmp_path / "a.xml").write_text(
        '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Metadata/>'
        f'<Page imageFilename="a.png" imageWidth="90" imageHeight="60">{regions}</Page></PcGts>'
    )
    assert command("validate", tmp_path) == 2
    assert "TextRegion bad: 'x' is not a point" in capsys.readouterr().out
    assert command("validate", tmp_path, "--strict") == 2
