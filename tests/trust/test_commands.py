"""Commands on a folder with hostile state of spotlab's: they only mention it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from spotlab.cli.root import main
from spotlab.editing.unfinished import NAME
from tests.gui import labelled_pages as hand
from tests.trust.test_foreign_steps import REFUSED, STEP, filled, page, put, snapshot


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("strange", "mine"):
        hand.write_labelled(tmp_path / "home" / name, 2)
    return tmp_path / "home"


COMMANDS: dict[str, Callable[[Path, Path], list[str]]] = {
    "validate": lambda folder, _: ["validate", str(folder)],
    "convert": lambda folder, out: ["convert", str(folder), str(out / "coco.json")],
}


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command as the program does; gives what it says."""
    with pytest.raises(SystemExit):
        main(arguments)
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    return told.out + told.err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", [*REFUSED, "asked about"])
def test_commands_carry_nothing_out(
    place: Path, tmp_path: Path, name: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    strange, mine = place / "strange", place / "mine"
    (strange / "link").symlink_to(mine)
    (strange / "link.xml").symlink_to(mine / "page_0001.xml")
    said = filled(REFUSED[name], mine) if name in REFUSED else page("page_0002.xml")
    put(strange, **said)
    put(place, pages={"strange/page_0001.xml": [], "mine/page_0001.xml": []})
    before = snapshot(place)
    out = tmp_path / "out"
    out.mkdir()
    told = run(COMMANDS[command](strange, out), capsys)
    assert snapshot(place) == before
    if command == "validate":
        assert str(strange / NAME) in told
        assert str(place / NAME) not in told


@pytest.mark.parametrize("depth", [10, 10_000])
def test_deep_values_are_refused(
    place: Path, depth: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = place / "strange" / NAME
    text = json.dumps({**STEP, "pages": {"page_0001.xml": [{"region": "r1", "label": "DEEP"}]}})
    path.write_text(text.replace('"DEEP"', "[" * depth + "]" * depth))
    assert "is no unfinished step" in run(["validate", str(place / "strange")], capsys)
