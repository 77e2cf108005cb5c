"""Names and errors reach the terminal with their control characters shown as escapes."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from spotlab.cli import console
from spotlab.errors import SpotlabError
from tests.cli.test_cli_root import Terminal, fails_with
from tests.judging_files import box, command, points, write_run, write_truth

NASTY = "so\x1b]0;owned\x07fa\x9b2J\u202eabc\u2066"
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
YAML = "train: im\x1b]0;owned\x07ages\nnames: [s\x1b[2Jofa]\n"
VOTES = f"item,o\x1b[2Jne,two\n{NASTY},1,0\ny,0,1\n"
TREE = f"category,parent\nr{NASTY},all\nb,all\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "pl\x1b[2J\nans"
    write_truth(folder, "one", box("sofa", 0, 0, 40, 40), box("-sofa", 50, 50, 90, 90))
    run = [(NASTY, "one", -0.5, points(0, 0, 40, 40)), ("sofa", "one", -0.7, points(0, 0, 9, 9))]
    write_run(folder / "run.csv", *run)
    (folder / "bad.csv").write_text(f"query,page,rank,score,points\n{NASTY},one,x,y,z\n")
    (folder / "data.yaml").write_text(YAML)
    (folder / "votes.csv").write_text(VOTES)
    (folder / "tree.csv").write_text(TREE)
    (folder / "judgements.csv").write_text(f"subject,item,category\nann,{NASTY},{NASTY}\n")
    return folder


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("validate {}/data.yaml", r"im\u001b]0;owned\u0007ages"),
        ("validate {}", r"pl\u001b[2J\nans"),
        ("validate {}/nothing.xml", "does not exist"),
        ("convert {}/data.yaml {}/made --to page", r"\u0007ages"),
        ("evaluate --truth {} --run {}/run.csv --draws 0", r"so\u001b]0;owned\u0007fa\u009b2J"),
        ("evaluate --truth {} --run {}/run.csv --json -", r"\u202eabc\u2066"),
        ("evaluate --truth {} --run {}/bad.csv", r"pl\u001b[2J\nans"),
        ("consensus {}/votes.csv", r"o\u001b[2Jne"),
        ("consensus {}/votes.csv --json -", r"o\u001b[2Jne"),
        ("uncertain {}/judgements.csv --tree {}/tree.csv", ""),
    ],
)
def test_no_command_writes_control_characters(
    given: str, shown: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command(*(word.format(files) for word in given.split()))
    told = capsys.readouterr()
    both = told.out + told.err
    assert not CONTROL.search(both), CONTROL.search(both)
    assert shown in both
    if given.endswith("--json -"):
        assert json.loads(told.out)


def test_an_error_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fails_with(SpotlabError("a\nb\x1b[2J\udcff.xml"), monkeypatch) == 2
    assert capsys.readouterr().err == "spotlab: a\\nb\\u001b[2J\\udcff.xml\n"


def test_progress_shows_names_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with console.progress_bar() as progress:
        progress(1, 3, f"reading {NASTY}")
        progress(2, 3, f"writing {NASTY}")
    said = terminal.getvalue()
    assert "\x07" not in said and "\u202e" not in said
    assert r"reading so\u001b]0;owned\u0007fa" in said and r"writing so\u001b]0" in said
