"""A spotter of one's own: its command line, its progress, its end."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from spotlab.errors import BadArgument, BadInput, Cancelled
from spotlab.formats.runs import read_run
from spotlab.progress import silent
from spotlab.studies.own_spotter import (
    PLACES,
    Spotter,
    SpotterFailed,
    SpotterOrder,
    SpotterProcess,
    progress_in,
    run_spotter,
)

ROW = 'sofa,page_1,1,0.9,"0,0 9,0 9,9"'


def order(tmp_path: Path, script: str, arguments: str = "{out} {list}") -> SpotterOrder:
    pages = tmp_path / "my pages; $(rm) `x`"
    pages.mkdir(exist_ok=True)
    (pages / "page_1.png").write_bytes(b"image")
    (tmp_path / "script.py").write_text(script)
    command = f"'{sys.executable}' '{tmp_path / 'script.py'}' {arguments}"
    return SpotterOrder(
        Spotter("mine", command), pages, (pages / "page_1.png",), tmp_path / "runs", "mine"
    )


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        status = Path(f"/proc/{process}/stat").read_text()
    except (ProcessLookupError, OSError):
        return False
    return status.rsplit(")", 1)[1].split()[0] != "Z"


def test_places_are_replaced_within_single_arguments() -> None:
    odd = dict.fromkeys(PLACES, "a b; rm -rf $HOME '\"|&")
    spotter = Spotter("mine", "run --in={pages} 'x {truth}' \"{out}\" {list} a\\ b")
    value = odd["pages"]
    assert spotter.arguments(odd) == ["run", f"--in={value}", f"x {value}", value, value, "a b"]
    nested = dict.fromkeys(PLACES, "{out}")
    assert Spotter("mine", "run {out}").arguments(nested) == ["run", "{out}"]


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("", "empty"),
        ("run 'a {out}", "cannot be split"),
        ("run {pages}", "lacks {out}"),
        ("run {out} {page}", "{page} stands for nothing"),
    ],
)
def test_a_command_line_that_cannot_work_says_why(command: str, problem: str) -> None:
    with pytest.raises(BadArgument, match=problem.replace("{", r"\{").replace("}", r"\}")):
        Spotter("mine", command).arguments(dict.fromkeys(PLACES, "x"))


@pytest.mark.parametrize(
    ("line", "far"),
    [
        ("12/42", (12, 42)), ("page 3 of 8: plan_3", (3, 8)), ("37 %", (37, 100)),
        ("  99.5% |####", (99, 100)), ("0/10", (0, 10)), ("12/4", None), ("0/0", None),
        ("version 1.2/3.4", None), ("done in 3.5 s", None), ("250 %", None), ("", None),
    ],
)  # fmt: skip
def test_progress_is_read_from_lines(line: str, far: tuple[int, int] | None) -> None:
    assert progress_in(line) == far


def test_its_output_is_the_run_stamped_with_what_made_it(tmp_path: Path) -> None:
    script = f"""
import sys
images = open(sys.argv[2]).read().splitlines()
for number, image in enumerate(images, 1):
    print(f"{{number}}/{{len(images)}}", end="\\r")
print("warning: odd", file=sys.stderr)
open(sys.argv[1], "w").write('query,page,rank,score,points\\n{ROW}\\n')
"""
    told: list[tuple[int, int | None]] = []
    lines: list[str] = []
    wanted = order(tmp_path, script)
    (path,) = run_spotter(wanted, lines.append, lambda done, total, _: told.append((done, total)))
    assert path == tmp_path / "runs" / "mine.csv"
    assert lines == ["1/1", "warning: odd"] and (1, 1) in told
    made = read_run(path).run.provenance
    assert made["made by"] == "mine" and made["command"] == wanted.spotter.command
    assert made["pages"].startswith("1 page, sha256 ")
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "mine.csv", "mine.csv.provenance.json",
    ]  # fmt: skip


def test_a_failure_has_the_exit_code_and_the_last_lines_and_leaves_the_old_run(
    tmp_path: Path,
) -> None:
    script = "import sys\nfor n in range(99): print('line', n)\nsys.exit('no model found')"
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "mine.csv").write_text("old")
    with pytest.raises(SpotterFailed, match="mine ended with exit code 1: no model found") as why:
        run_spotter(order(tmp_path, script), lambda _: None, silent)
    assert why.value.lines[0] == "line 88" and len(why.value.lines) == 12
    assert [each.name for each in (tmp_path / "runs").iterdir()] == ["mine.csv"]
    assert (tmp_path / "runs" / "mine.csv").read_text() == "old"


def test_a_spotter_that_writes_nothing_or_no_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpotterFailed, match="without writing"):
        run_spotter(order(tmp_path, "pass"), lambda _: None, silent)
    script = "import sys; open(sys.argv[1], 'w').write('this,is\\nno,run\\n')"
    with pytest.raises(BadInput, match="there is no column query"):
        run_spotter(order(tmp_path, script), lambda _: None, silent)
    missing = SpotterProcess(["/no/such/program"], tmp_path)
    with pytest.raises(SpotterFailed, match="/no/such/program cannot be started"):
        missing.run("mine", silent)


def test_several_files_are_several_runs(tmp_path: Path) -> None:
    script = f"""
import sys
for name in "ab":
    path = sys.argv[1].replace(".csv", f"-{{name}}.csv")
    open(path, "w").write('query,page,rank,score,points\\n{ROW}\\n')
"""
    paths = run_spotter(order(tmp_path, script), lambda _: None, silent)
    assert [path.name for path in paths] == ["mine-a.csv", "mine-b.csv"]


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
def test_cancelling_ends_all_that_it_started_even_if_it_does_not_want_to(tmp_path: Path) -> None:
    script = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(os.getpid(), child.pid)
time.sleep(60)
"""
    lines: list[str] = []
    begin = time.monotonic()

    def until_it_works(*_: object) -> None:
        if lines or time.monotonic() - begin > 20:
            raise Cancelled

    with pytest.raises(Cancelled):
        run_spotter(order(tmp_path, script), lines.append, until_it_works)
    processes = [int(each) for each in lines[0].split()]
    assert len(processes) == 2
    end = time.monotonic() + 5
    while any(map(is_alive, processes)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(is_alive, processes))
    assert list((tmp_path / "runs").iterdir()) == []
