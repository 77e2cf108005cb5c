"""CVC-FP's truth as it is published: names, sizes, versions, and the real files where they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from spotlab.editing.validate import validate_files
from spotlab.formats.truth.floor_plans.cvc_fp_svg import FORMAT
from spotlab.formats.truth.page_xml import read as read_page
from spotlab.studies.tally.truth import read_truths
from tests.judging_files import SIDE, command, points, write_run

REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "cvc_fp"


def write_svg(folder: Path, name: str, *regions: tuple[str, str], size: int = SIDE) -> Path:
    polygons = [f'<polygon class="{label}" points="{at} "/>' for label, at in regions]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"'
        ' "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
        '<svg xmlns="http://www.w3.org/2000/svg" version="1.1">',
        f"<width>{size}</width>\n<height>{size}</height>",
        "<nclasslabel>2</nclasslabel>\n<class>Door</class>\n<class>Wall</class>",
        *polygons,
        '<relation type="incident" objects="0 1"/>\n</svg>',
    ]
    path = folder / name
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "plans"
    made.mkdir()
    Image.new("1", (SIDE, SIDE), 1).save(made / "plan.png")
    write_svg(made, "plan_gt_2.svg", ("Door", points(0, 0, 50, 50)))
    write_svg(made, "plan_gt_10.svg", ("Door", points(0, 0, 9, 9)), ("Wall", points(0, 9, 9, 20)))
    return made


def test_the_image_is_the_one_that_the_version_is_of(folder: Path) -> None:
    (truth,) = FORMAT.read_file(folder / "plan_gt_10.svg")
    assert truth.page.image == folder / "plan.png"
    assert (truth.page.width, truth.page.height) == (SIDE, SIDE)
    assert [region.label for region in truth.regions] == ["Door", "Wall"]


def test_without_its_image_the_page_still_has_its_name(tmp_path: Path) -> None:
    path = write_svg(tmp_path, "b_gt_3.svg", ("Door", points(0, 0, 9, 9)))
    (truth,) = FORMAT.read_file(path)
    assert truth.page.name == "b"


def test_a_folder_is_judged_by_the_highest_version(folder: Path, tmp_path: Path) -> None:
    found = read_truths([folder])
    assert len(found.truths["plan"].regions) == 2
    assert found.remarks == ("plan_gt_2.svg was skipped: plan_gt_10.svg is a later version of it",)
    run = write_run(tmp_path / "run.csv", ("Door", "plan", 1, points(0, 0, 9, 9)))
    assert command("evaluate", "--truth", folder, "--run", run, "--draws", 0) == 0


def test_a_folder_is_converted_and_validated(folder: Path, tmp_path: Path, capsys) -> None:
    assert command("convert", folder, tmp_path / "out", "--to", "page") == 0
    said = "".join(capsys.readouterr())
    assert "plan_gt_2.svg was skipped" in said
    assert "1 × relation" in said
    assert len(read_page(tmp_path / "out" / "plan.xml").regions) == 2
    (looked,) = validate_files([folder])
    assert (looked.entry.image, looked.regions) == (folder / "plan.png", 2)
    assert command("validate", folder / "plan_gt_2.svg") == 0


def test_another_size_than_the_image_has_is_an_error(folder: Path) -> None:
    write_svg(folder, "plan_gt_11.svg", ("Door", points(0, 0, 9, 9)), size=SIDE + 1)
    (looked,) = validate_files([folder])
    assert looked.errors == 1


@pytest.mark.skipif(not REAL.is_dir(), reason="the floor plans of CVC-FP are not here")
def test_the_published_files() -> None:
    found = read_truths([REAL])
    assert len(found.truths) == 7
    assert sum(len(truth.regions) for truth in found.truths.values()) == 454
    for truth in found.truths.values():
        assert truth.page.image.is_file()
    assert all(looked.errors == 0 for looked in validate_files([REAL]))
