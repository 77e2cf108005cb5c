"""What spotlab does where packages are missing that need not be installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from spotlab import compare_systems, evaluate, read_run, read_truth
from spotlab.extras import OPTIONAL, cv2, missing_package
from spotlab.resources import LETTERS, VOTES, sample_collection

ROOT = Path(__file__).resolve().parents[2]
# runs commands one after the other where packages cannot be found; prints code and last line
SCRIPT = """
import io, sys
from contextlib import redirect_stderr, redirect_stdout

missing = {missing!r}

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in missing:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Finder())
from spotlab.cli.root import main

for arguments in {commands!r}:
    out, said = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        try:
            main(arguments)
        except SystemExit as end:
            code = end.code
    lines = (said.getvalue() or out.getvalue()).strip().splitlines()
    print(code or 0, lines[-1] if lines else "")
"""


def run_without(missing: set[str], commands: list[list[str]]) -> list[str]:
    """Exit code and last line of each command."""
    script = SCRIPT.format(missing=missing, commands=commands)
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def figures(file: Path) -> object:
    """What an evaluation wrote; machine code sums areas in another order than shapely."""
    return json.loads(file.read_text(), parse_float=lambda text: round(float(text), 9))


def test_commands_without_pixels_work_without_optional_packages(tmp_path: Path) -> None:
    plans = sample_collection()
    run = plans / "runs" / "a_ratios.csv"
    with_all = tmp_path / "with.json"
    without = tmp_path / "without.json"
    parquet = tmp_path / "run.parquet"
    parquet.write_bytes(b"PAR1")
    evaluate = ["evaluate", "--truth", str(plans / "plan_001.xml"), "--run", str(run)]
    evaluate += ["--draws", "0", "--json"]
    better = ["--run", str(plans / "runs" / "e_alignment.csv")]
    search = ["spot", "words", "--query", "the", "--cache", str(tmp_path / "cache"), "--pages"]
    search += [str(sample_collection(LETTERS)), "--out", str(tmp_path / "lists.csv")]
    lines = run_without(
        {package.module for package in OPTIONAL},
        [
            [*evaluate, str(without)],
            ["convert", str(plans), str(tmp_path / "coco.json"), "--to", "coco"],
            search,
            ["synthesise", "manuscript", "--pages", "1", "--out", str(tmp_path / "made")],
            ["evaluate", "--truth", str(plans), "--run", str(parquet)],
            [*evaluate, str(tmp_path / "more.json"), "--out", str(tmp_path / "r"), *better],
            ["open"],
        ],
    )
    assert [line[0] for line in lines] == list("0022202")
    assert "pip install 'spotlab[images]'" in lines[2]
    assert "pip install 'spotlab[images]'" in lines[3]
    assert "pip install 'spotlab[parquet]'" in lines[4]
    assert "pictures of pages are left out of it: OpenCV is not installed" in lines[5]
    assert "pip install 'spotlab[gui]'" in lines[6]
    page = (tmp_path / "r" / "report.html").read_text("utf-8")
    assert "Pictures of pages are left out: OpenCV is not installed" in page
    assert page.count("<svg") > 3 and "no image</div>" in page
    assert (tmp_path / "r" / "curves.pdf").is_file()
    [done] = run_without(set(), [[*evaluate, str(with_all)]])
    assert done[0] == "0"
    assert figures(with_all) == figures(without)


def test_frames_are_dicts_where_pandas_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = sample_collection()
    run = sample / "runs" / "b_hu.csv"
    result = evaluate(sample / "plan_001.xml", run, draws=0)
    votes = compare_systems(sample_collection(VOTES) / "contest.csv")
    results = (result, result.curves(), votes, read_truth(sample), read_run(run))
    frames = [each.frame for each in results]
    with_pandas = [frame() for frame in frames]
    monkeypatch.setitem(sys.modules, "pandas", None)
    for usual, frame in zip(with_pandas, frames, strict=True):
        columns = frame()
        assert type(columns) is dict and list(columns) == usual.columns.tolist()
        assert all(
            type(values) is list and len(values) == len(usual) for values in columns.values()
        )


def test_each_optional_package_is_in_its_extra_and_in_no_other_list() -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    always = " ".join(about["dependencies"]).lower()
    installed = packages_distributions()
    for package in OPTIONAL:
        extra = " ".join(about["optional-dependencies"][package.extra]).lower()
        names = [
            name.lower().replace("_", "-")
            for name in installed.get(package.module, [package.module])
        ]
        assert any(name in extra for name in names), package.module
        assert not any(name in always for name in names), package.module


def test_an_import_that_fails_for_another_reason_is_no_missing_package() -> None:
    assert missing_package(ImportError("libGL.so.1: cannot open", name="cv2")) is None
    assert missing_package(ModuleNotFoundError(name="my_package")) is None


def test_a_late_module_is_the_module() -> None:
    assert cv2.INTER_AREA == 3
    with pytest.raises(AttributeError, match="no_such_thing"):
        cv2.no_such_thing  # noqa: B018


def test_a_build_without_python_says_that_it_cannot_be_extended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("spotlab.extras.IS_BUILD", True)
    missing = str(missing_package(ModuleNotFoundError(name="pandas")))
    assert "not part of this build; with Python: pip install 'spotlab[frames]'" in missing
