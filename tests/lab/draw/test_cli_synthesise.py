"""`spotlab synthesise`: options of the dataclass, files that depend on the seed, clean Ctrl+C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import pytest
from PIL import Image

from spotlab.cli import root
from spotlab.formats.truth import page_xml
from spotlab.lab.commands.synthesise.documents import floorplans
from spotlab.lab.draw.plans.options import FloorPlanOptions

SMALL = ("--width", "800", "--height", "600")


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        root.main(["synthesise", "floorplans", *map(str, arguments)])
    return int(ended.value.code or 0)


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_every_field_is_an_option_with_a_text() -> None:
    options = {option.name: option for option in floorplans.params}
    for field in fields(FloorPlanOptions):
        text = options[field.name].help  # type: ignore[attr-defined]
        assert len(text.partition("[default")[0].strip()) > 5, field.name


def test_pages_have_truth_and_depend_on_the_seed_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--pages", 2, "--seed", 7, "--jobs", 1, "--out", tmp_path / "a", *SMALL) == 0
    assert "wrote 2 pages" in capsys.readouterr().out
    assert run("--pages", 2, "--seed", 7, "--jobs", 2, "--out", tmp_path / "b", *SMALL) == 0
    assert run("--pages", 2, "--seed", 8, "--jobs", 1, "--out", tmp_path / "c", *SMALL) == 0
    first = content(tmp_path / "a")
    assert first == content(tmp_path / "b")
    assert first.keys() == content(tmp_path / "c").keys()
    assert first != content(tmp_path / "c")
    assert page_xml.read(tmp_path / "a" / "plan_001.xml").regions


def test_options_change_what_the_manner_says(tmp_path: Path) -> None:
    chosen = ["--manner", "worn", "--bilevel", "--pages", 1, "--out", tmp_path / "a"]
    assert run(*chosen, *SMALL) == 0
    with Image.open(tmp_path / "a" / "plan_001.png") as image:
        assert (image.mode, image.size) == ("1", (800, 600))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--pages", 1, "--gaps", -1], "gaps is -1"),
        (["--pages", 0], "--pages"),
        (["--pages", 1, "--seed", -4], "--seed"),
        ([], "--pages"),
    ],
)
def test_a_senseless_option_is_one_line_and_writes_nothing(
    arguments: list[object], named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments, "--out", tmp_path / "a") == 2
    err = capsys.readouterr().err
    assert named in err and err.count("\n") == 1
    assert not (tmp_path / "a").exists()


def test_pages_that_are_there_are_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--pages", 1, "--out", tmp_path, *SMALL) == 0
    before = content(tmp_path)
    assert run("--pages", 2, "--seed", 9, "--out", tmp_path, *SMALL) == 2
    assert "plan_001" in capsys.readouterr().err
    assert content(tmp_path) == before


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="a terminal sends Ctrl+C to a process group")
def test_ctrl_c_leaves_only_whole_files(tmp_path: Path) -> None:
    out = tmp_path / "plans"
    arguments = ["synthesise", "floorplans", "--pages", "2000", "--jobs", "2", "--out", str(out)]
    with subprocess.Popen(
        [sys.executable, "-m", "spotlab", *arguments, *SMALL],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # who starts the tests in the background lets them, and their children, ignore Ctrl+C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        deadline = time.monotonic() + 30
        while not list(out.glob("*.png")) and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.strip() == "spotlab: cancelled"
    assert 0 < len(list(out.glob("*.png"))) < 2000
    for file in out.iterdir():
        if file.suffix == ".png":
            with Image.open(file) as image:
                image.load()
            assert page_xml.read(file.with_suffix(".xml")).regions
        assert not file.name.endswith(".tmp")
