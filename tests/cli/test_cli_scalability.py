"""`spotlab scalability` and the study behind it: many classes, several runs, JSON."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab.errors import Cancelled
from spotlab.formats.runs import read_run
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.evaluate.scalability import RECALLS, THRESHOLDS, measure_scalability
from spotlab.studies.tally.truth import read_truths
from tests.judging_files import box, command, points, write_run, write_truth

Captured = pytest.CaptureFixture[str]
CLASSES = 12


def write_many(folder: Path) -> tuple[Path, Path, Path]:
    """Twelve classes on six pages; one run finds all, one every second class and much else."""
    truth = folder / "truth"
    rows = []
    for page in range(6):
        regions = [box(f"c{each:02}", each * 8, 10, each * 8 + 6, 20) for each in range(CLASSES)]
        write_truth(truth, f"p{page}", *regions)
        rows += [(f"c{n:02}", f"p{page}", 1, points(n * 8, 10, n * 8 + 6, 20))
                 for n in range(CLASSES)]  # fmt: skip
    perfect = write_run(folder / "perfect.csv", *rows)
    half = write_run(
        folder / "half.csv",
        *[row for row in rows if int(row[0][1:]) % 2 == 0],
        *[(row[0], row[1], 0.5, points(50, 50, 56, 60)) for row in rows],
    )
    return truth, perfect, half


def found_in_json(capsys: Captured, *arguments: object) -> Any:
    assert command("scalability", *arguments, "--json", "-") == 0
    return json.loads(capsys.readouterr().out)


def test_the_table_and_the_parts(tmp_path: Path, capsys: Captured) -> None:
    truth, perfect, half = write_many(tmp_path)
    assert command("scalability", "--truth", truth, "--run", perfect, "--run", half) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "12 classes; 100 draws for each number of classes: 5, 10, 12"
    own = lines[lines.index("perfect") : lines.index("half")]
    assert next(line for line in own if line.startswith("F ")).split() == ["F", *["0.00"] * 3]
    whole = next(line for line in lines if line.startswith("12 classes, 6 pages"))
    assert whole.split()[4:7] == ["100.0", "±", "0.0"]
    assert any(line.startswith("4 classes, 2 pages") for line in lines)


def test_json_has_the_curves(tmp_path: Path, capsys: Captured) -> None:
    truth, perfect, half = write_many(tmp_path)
    arguments = ("--truth", truth, "--run", perfect, "--run", half, "--draws", 40, "--step", 4)
    found = found_in_json(capsys, *arguments)
    assert found["class_counts"] == [4, 8, 12]
    assert [run["name"] for run in found["runs"]] == ["perfect", "half"]
    curves = found["runs"][1]["curves"]
    assert np.shape(curves["recall"]["mean"]) == (3, len(THRESHOLDS))
    assert np.shape(curves["f"]["mean"]) == (3, len(RECALLS))
    # with all classes drawn there is nothing left to chance: half of them is found, half is not
    assert curves["recall"]["mean"][2][-1] == pytest.approx(0.5)
    assert curves["recall"]["spread"][2][-1] == pytest.approx(0)
    assert curves["precision"]["mean"][2][-1] == pytest.approx(0.5 * 0.5)
    assert found["runs"][1]["table"]["recall"]["maximum"] > 0
    last = found["runs"][1]["sizes"][-1]
    assert (last["classes"], last["pages"], last["symbols"]) == (12, 6, 72)
    assert last["recognition_rate"]["mean"] == pytest.approx(50)
    assert last["false_positives"]["mean"] == pytest.approx(6)
    first = found["runs"][1]["sizes"][0]
    assert first["false_positives"]["mean"] == pytest.approx(2)  # two of six pages


def test_the_seed_decides(tmp_path: Path, capsys: Captured) -> None:
    truth, _, half = write_many(tmp_path)
    arguments = ("--truth", truth, "--run", half, "--draws", 20)
    found = [found_in_json(capsys, *arguments, "--seed", seed)["runs"] for seed in (1, 1, 2)]
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_the_same_classes_are_drawn_for_all_runs(tmp_path: Path, capsys: Captured) -> None:
    truth, perfect, half = write_many(tmp_path)
    arguments = ("--truth", truth, "--draws", 20)
    alone = found_in_json(capsys, *arguments, "--run", half)["runs"][0]
    beside = found_in_json(capsys, *arguments, "--run", perfect, "--run", half)["runs"][1]
    assert alone == beside


def test_truth_without_labels_has_no_classes(tmp_path: Path, capsys: Captured) -> None:
    write_truth(tmp_path / "truth", "one", box("", 1, 1, 9, 9))
    run = write_run(tmp_path / "run.csv", ("sofa", "one", 1, points(1, 1, 9, 9)))
    assert command("scalability", "--truth", tmp_path / "truth", "--run", run) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "spotlab: the truth has no labelled region, so there is no class to draw\n"


def test_queries_that_the_truth_has_not_take_no_part(tmp_path: Path, capsys: Captured) -> None:
    truth, perfect, _ = write_many(tmp_path)
    with perfect.open("a") as file:
        file.write(f'lamp,p0,1,"{points(60, 60, 70, 70)}"\n')
    found = found_in_json(capsys, "--truth", truth, "--run", perfect, "--draws", 10)
    assert len(found["classes"]) == CLASSES
    assert found["runs"][0]["table"]["precision"]["maximum"] == pytest.approx(0)
    assert "lamp (1)" in " ".join(found["notes"][0]["remarks"])


def test_drawing_can_be_cancelled(tmp_path: Path) -> None:
    truth, perfect, _ = write_many(tmp_path)
    figures = evaluate(read_truths([truth]), [read_run(perfect)], draws=0).runs[0].figures

    def cancel(done: int, _total: int | None, doing: str) -> None:
        if doing == "averaging curves" and done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        measure_scalability(["perfect"], [figures], progress=cancel)


def test_tables_and_plots_are_written(tmp_path: Path, capsys: Captured) -> None:
    truth, perfect, half = write_many(tmp_path)
    folder = tmp_path / "scalability"
    arguments = ("--truth", truth, "--run", perfect, "--run", half, "--draws", 10)
    assert command("scalability", *arguments, "--out", folder) == 0
    assert capsys.readouterr().out.endswith(f"wrote {folder}\n")
    assert sorted(path.name for path in folder.iterdir()) == [
        "curves-by-number.pdf", "curves-by-number.svg", "curves.pdf", "curves.svg",
        "deviations.csv", "deviations.tex", "parts.csv", "parts.tex",
        "report.html", "scalability.json", "sizes.pdf", "sizes.svg",
    ]  # fmt: skip
    with (folder / "deviations.csv").open() as file:
        rows = {row["run"]: row for row in csv.DictReader(file)}
    found = json.loads((folder / "scalability.json").read_text())
    of_half = found["runs"][1]["table"]["recall"]
    assert float(rows["half"]["recall_maximum"]) == pytest.approx(100 * of_half["maximum"])
    assert float(rows["perfect"]["f_mean"]) == pytest.approx(0, abs=1e-9)
    with (folder / "parts.csv").open() as file:
        last = list(csv.DictReader(file))[-1]
    assert (last["run"], last["classes"], last["recognition_rate"]) == ("half", "12", "50.0")
    assert b"half" in (folder / "sizes.svg").read_bytes()


def test_nothing_is_written_where_nothing_can_be(tmp_path: Path, capsys: Captured) -> None:
    truth, perfect, _ = write_many(tmp_path)
    (tmp_path / "file").write_text("a file, not a folder")
    before = sorted(tmp_path.rglob("*"))
    target = tmp_path / "file" / "scalability"
    arguments = ("--truth", truth, "--run", perfect, "--draws", 5, "--out", target)
    assert command("scalability", *arguments) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"spotlab: {target}")
    assert sorted(tmp_path.rglob("*")) == before
