"""`spotlab spot propose`: the work of a simulated person, by page."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from spotlab.cli.root import main
from spotlab.formats.truth.page_xml import write
from spotlab.model import Page, Region, Truth
from tests.conftest import SHARED_DATA
from tests.spotting.symbols.test_region_learner import drawn


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three labelled pages to learn from, and one to be made."""
    folder = tmp_path_factory.mktemp("site")
    for number in range(4):
        place = folder / ("asked" if number == 3 else "known")
        place.mkdir(exist_ok=True)
        features, regions = drawn(number)
        image = place / f"plan_{number}.png"
        cv2.imwrite(str(image), np.where(features.ink, 0, 255).astype(np.uint8))
        made = tuple(
            Region(tuple(map(tuple, outline.tolist())), label, id=f"r{at}")
            for at, (label, outline) in enumerate(regions)
        )
        write(Truth(Page(image, 700, 500), made), image.with_suffix(".xml"))
    return folder


def run(site: Path, *arguments: object) -> int:
    given = ["spot", "propose", "--pages", site / "asked", "--cache", site / "cache", *arguments]
    with pytest.raises(SystemExit) as ended:
        main([str(each) for each in given])
    return int(ended.value.code or 0)


@pytest.mark.slow
def test_lessons_save_drawing(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(site, "--lessons", site / "known", "--json", "-", "--csv", site / "work.csv") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["lessons"] == 3
    [page] = found["pages"]
    assert (page["page"], page["symbols"], page["drawn"]) == ("plan_3", 6, 0)
    assert found["share"] == 1.0 and found["false_per_accepted"] == 0
    with (site / "work.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["page"], row["accepted"]) for row in rows] == [("plan_3", "6"), ("All", "6")]


def test_without_lessons_the_first_of_each_label_is_drawn(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(site) == 0
    lines = capsys.readouterr().out.splitlines()
    (head,) = (at for at, line in enumerate(lines) if line.split()[:2] == ["Page", "Symbols"])
    words = lines[head + 1].split()
    assert words[:2] == ["plan_3", "6"] and int(words[3]) >= 3
    assert lines[-1].startswith("All")


def test_a_page_is_no_lesson_for_itself(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(site, "--lessons", site / "asked", "--json", "-") == 0
    alone = json.loads(capsys.readouterr().out)
    assert run(site, "--json", "-") == 0
    assert alone["pages"] == json.loads(capsys.readouterr().out)["pages"]


def test_what_has_no_truth_is_refused(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(site, "--lessons", tmp_path) == 2
    assert str(tmp_path) in capsys.readouterr().err


@pytest.mark.slow
def test_photographs_of_drawings_are_worked_on(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    real = SHARED_DATA / "hdbpmn_symbols" / "annotations"
    if not real.is_dir():
        pytest.skip("the real data beside the checkout (../shared/data) is not here")
    known = [real / f"ex0{name}.bpmn" for name in ("3_writer0080", "0_writer0035", "0_writer0008")]
    asked = real / "ex00_writer0080.bpmn"
    given = [part for path in known for part in ("--lessons", path)]
    with pytest.raises(SystemExit) as ended:
        main([
            *map(str, ["spot", "propose", "--pages", asked, *given, "--cache", site / "real"]),
            "--json", "-",
        ])  # fmt: skip
    assert not ended.value.code
    found = json.loads(capsys.readouterr().out)
    [page] = found["pages"]
    assert found["lessons"] == 3 and page["symbols"] == 12
    assert page["accepted"] + page["drawn"] == 12
    assert page["accepted"] >= 5 and page["rejected"] <= page["accepted"]
