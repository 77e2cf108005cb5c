"""What all commands have in common: they are found, start quickly, fail in one line."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import click
import pytest

from spotlab import __version__
from spotlab.cli import console, root
from spotlab.errors import BadInput, Cancelled
from spotlab.progress import silent, track

HEAVY = {"numpy", "scipy", "cv2", "shapely", "lxml", "PIL", "PySide6", "multiprocessing"}


def fails_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    def command() -> None:
        raise error

    monkeypatch.setattr(root, "_root", lambda: click.Command("spotlab", callback=command))
    with pytest.raises(SystemExit) as ended:
        root.main([])
    return int(ended.value.code or 0)


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        root.main(["--help"])
    assert not ended.value.code
    listed = capsys.readouterr().out
    for name in ("convert", "demo", "open", "synthesise", "validate"):
        assert f"\n  {name} " in listed


def test_a_folder_in_place_of_a_command_is_told_how_to_open(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for given, told in (
        (str(tmp_path), f"{tmp_path} is not a command; to open it: spotlab open {tmp_path}. See"),
        ("nothing", "spotlab: there is no command 'nothing'. See spotlab --help.\n"),
    ):
        with pytest.raises(SystemExit) as ended:
            root.main([given])
        assert ended.value.code == 2 and told in capsys.readouterr().err


@pytest.mark.parametrize("group", ["spot", "synthesise", "train", "adapt", "parts", "reproduce"])
def test_a_group_without_a_command_shows_its_help(
    group: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    for arguments in ([group], [group, "--help"]):
        with pytest.raises(SystemExit) as ended:
            root.main(arguments)
        assert not ended.value.code
        shown.append(capsys.readouterr())
    assert shown[0] == shown[1] and f"Usage: spotlab {group}" in shown[0].out
    assert len(shown[0].out.splitlines()) > 5 and not shown[0].err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["evalaute"],
            "there is no command 'evalaute'; did you mean evaluate? See spotlab --help.",
        ),
        (["spot", "wrods"], "there is no command 'wrods'; did you mean words? See spotlab spot"),
        (["evaluate", "--rum"], "there is no option --rum; did you mean --run? See spotlab eval"),
        (["evaluate", "--xyz"], "there is no option --xyz. See spotlab evaluate --help."),
        (["spot", "--words"], "there is no option --words. See spotlab spot --help."),
    ],
)
def test_what_is_mistyped_gets_a_suggestion(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        root.main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f"spotlab: {said}")


def test_starting_imports_nothing_heavy() -> None:
    code = (
        "import sys, contextlib\n"
        "from spotlab.cli.root import main\n"
        "with contextlib.suppress(SystemExit): main(['--help'])\n"
        f"print(*sorted({HEAVY} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == []


def test_the_module_is_the_command() -> None:
    command = [sys.executable, "-m", "spotlab", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"spotlab {__version__}\n"


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (
            BadInput("a.xml", "no page", place="line 3", expected="a Page"),
            2,
            "spotlab: a.xml, line 3: no page; expected a Page\n",
        ),
        (
            PermissionError(13, "Permission denied", "b.xml"),
            2,
            "spotlab: b.xml: there is no permission\n",
        ),
        (BadInput("c\nd.xml", "bad"), 2, "spotlab: c\\nd.xml: bad\n"),
        (click.UsageError("Odd."), 2, "spotlab: Odd. See spotlab --help.\n"),
        (click.FileError("e.xml", "gone"), 2, "spotlab: Could not open file 'e.xml': gone\n"),
        (Cancelled(), 130, "spotlab: cancelled\n"),
        (KeyboardInterrupt(), 130, "\nspotlab: cancelled\n"),
    ],
)
def test_a_failure_is_one_line_and_a_code(
    error: BaseException,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert fails_with(error, monkeypatch) == code
    assert capsys.readouterr().err == line


def test_a_mistake_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        fails_with(ZeroDivisionError(), monkeypatch)


def test_no_bar_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with console.progress_bar() as progress:
        assert progress is silent


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_for_each_thing_that_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with console.progress_bar() as progress:
        list(track("abc", progress, "reading"))
        list(track(iter("ab"), progress, "looking"))
        list(track("ab", progress, "writing"))
    reading, looking, writing = terminal.getvalue().rstrip("\n").split("\n")
    assert "reading" in reading and "100%" in reading
    assert "looking" in looking and "%" not in looking and "2" in looking
    assert "writing" in writing and "100%" in writing


def test_the_bar_is_ended_when_the_work_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with pytest.raises(Cancelled), console.progress_bar() as progress:
        progress(1, 3, "reading")
        raise Cancelled
    assert terminal.getvalue().endswith("\n")


def test_the_ci_script_calls_make_test() -> None:
    script = Path(__file__).resolve().parents[2] / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert "make test" in script.read_text("utf-8")


@pytest.mark.slow
def test_whoever_reads_our_output_may_have_enough_of_it(tmp_path: Path) -> None:
    votes = tmp_path / "votes.csv"
    votes.write_text("item,a,b,c\n1,1,1,0\n2,1,0,0\n3,0,1,1\n")
    line = f'"{sys.executable}" -m spotlab consensus "{votes}" --draws 0 2>err | true; '
    done = subprocess.run(
        ["bash", "-c", line + "echo ${PIPESTATUS[0]}; cat err"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "0\n"
