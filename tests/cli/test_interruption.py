"""Ctrl+C and SIGTERM, at moments that used to be answered with a traceback, late or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from spotlab.resources import sample_collection
from tests.soak.recipes import RECIPES, commands

ROOT = Path(__file__).resolve().parents[2]
LONG = 60  # s; whatever ends at all ends before

# Python imports this before anything else, in each process. When the module AT is looked for, the
# signal is sent: to this process, or to all of its group, as a terminal does.
SITE = """
import os, signal, sys

class Moment:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ.get("AT") and (os.getpid() == int(leader) or "WORKER" in os.environ):
            sys.meta_path.remove(self)
            number = int(os.environ["NUMBER"])
            send = os.killpg if "GROUP" in os.environ else os.kill
            send(int(leader), number)
            if "STUCK" in os.environ:
                import ctypes
                ctypes.CDLL(None).sleep(3600)

leader = os.environ.setdefault("LEADER", str(os.getpid()))
if "AT" in os.environ:
    sys.meta_path.insert(0, Moment())
"""
SMALL = ("--pages", "40", "--jobs", "2", "--width", "400", "--height", "400")

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals as POSIX has them")
OFFSCREEN = "This plugin does not support propagateSizeHints()\n"  # Qt, of windows shown nowhere


def interrupted(
    folder: Path, *arguments: object, at: str, number: int = signal.SIGINT, **how: str
) -> tuple[int, str]:
    """The exit code of the program, and what it has said on standard error."""
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(SITE)
    surroundings = {
        **os.environ,
        "PYTHONPATH": f"{folder / 'site'}:{ROOT}",
        "AT": at,
        "NUMBER": str(int(number)),
        **how,
    }
    ended = subprocess.run(
        [sys.executable, "-m", "spotlab", *map(str, arguments)],
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
        start_new_session=True,
        # who starts the tests in the background lets them, and their children, ignore Ctrl+C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    return ended.returncode, ended.stderr.replace(OFFSCREEN, "")


def evaluate(out: Path) -> list[object]:
    sample = sample_collection()
    run = sample / "runs" / "c_polygons.csv"
    return ["evaluate", "--truth", sample, "--run", run, "--draws", 0, "--out", out]


@pytest.mark.slow
@pytest.mark.parametrize("at", ["click", "numpy", "lxml", "spotlab.report.write", "matplotlib"])
def test_while_something_is_imported(tmp_path: Path, at: str) -> None:
    ended = interrupted(tmp_path, *evaluate(tmp_path / "out"), at=at)
    assert ended == (130, "spotlab: cancelled\n")
    assert [file.name for file in tmp_path.iterdir()] == ["site"]


def test_who_ends_the_process_waits_for_the_thread_that_tells() -> None:
    code = """
import os, threading, time
from spotlab import interruption
interruption.install()
interruption._State.received = 2
write = os.write
def write_late(file, text):
    time.sleep(0.3)
    return write(file, text)
os.write = write_late
threading.Thread(target=interruption.tell).start()
time.sleep(0.1)
interruption.end()
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (130, "spotlab: cancelled\n")


def test_sigterm_has_its_own_code(tmp_path: Path) -> None:
    ended = interrupted(tmp_path, "validate", sample_collection(), at="lxml", number=signal.SIGTERM)
    assert ended == (143, "spotlab: cancelled\n")


def test_what_never_comes_back_is_not_waited_for(tmp_path: Path) -> None:
    ended = interrupted(tmp_path, *evaluate(tmp_path / "out"), at="numpy", STUCK="")
    assert ended == (130, "spotlab: cancelled\n")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("at", ["spotlab.compute", "numpy"])  # before and after they are ready
def test_while_workers_start(tmp_path: Path, at: str, number: int) -> None:
    out = tmp_path / "out"
    arguments = ["synthesise", "floorplans", *SMALL, "--out", out]
    ended = interrupted(tmp_path, *arguments, at=at, number=number, WORKER="", GROUP="")
    assert ended == (128 + number, "spotlab: cancelled\n")


def test_where_a_worker_never_comes_back(tmp_path: Path) -> None:
    arguments = ["synthesise", "floorplans", *SMALL, "--out", tmp_path / "out"]
    how = {"WORKER": "", "GROUP": "", "STUCK": ""}
    ended = interrupted(tmp_path, *arguments, at="PIL.Image", **how)
    assert ended == (130, "spotlab: cancelled\n")


@pytest.mark.slow
@pytest.mark.parametrize("command", [["open"], ["demo"], ["demo", "--headless"]])
def test_while_the_window_opens(tmp_path: Path, command: list[str]) -> None:
    ended = interrupted(
        tmp_path, *command, at="spotlab.gui.window.main_window", GROUP="", WORKER=""
    )
    assert ended == (130, "spotlab: cancelled\n")


WINDOW = """
import os, signal, sys
from spotlab import interruption
interruption.install()
from PySide6.QtCore import QTimer
from spotlab.gui.window import app
from spotlab.gui.kit.settings import STARTED
from spotlab.gui.kit.settings import Settings
settings = Settings()
settings.set(STARTED, True)
settings.flush()  # nothing is opened
app.application()
{more}
QTimer.singleShot(0, lambda: os.kill(os.getpid(), signal.SIGTERM))
code = app.run([])
print("closed", code, flush=True)
interruption.end()
"""


def child(code: str) -> subprocess.CompletedProcess[str]:
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG, check=False
    )
    ended.stderr = ended.stderr.replace(OFFSCREEN, "")
    return ended


@pytest.mark.slow
def test_the_open_window_closes() -> None:
    ended = child(WINDOW.format(more=""))
    assert (ended.returncode, ended.stderr) == (143, "spotlab: cancelled\n")
    assert ended.stdout == "closed 0\n"


@pytest.mark.slow
def test_a_window_that_does_not_close_is_ended() -> None:
    more = (
        "from spotlab.gui.window.main_window import MainWindow\n"
        "MainWindow.close = lambda self: False"
    )
    ended = child(WINDOW.format(more=more))
    assert (ended.returncode, ended.stdout, ended.stderr) == (143, "", "spotlab: cancelled\n")


PATIENT = """
import ctypes, os, signal, sys
from spotlab import interruption
interruption.PATIENCE = 3600
interruption.install()
os.kill(os.getpid(), signal.SIGTERM)
while not interruption.is_cancelled():
    pass
os.kill(os.getpid(), signal.SIGTERM)
ctypes.CDLL(None).sleep(3600)
"""


def test_a_second_signal_ends_at_once() -> None:
    ended = child(PATIENT)
    assert (ended.returncode, ended.stderr) == (143, "spotlab: cancelled\n")


WRITING = """
import os, signal, sys
from pathlib import Path
from spotlab import interruption
from spotlab.formats.rows import files
folder = Path(sys.argv[1])
interruption.PATIENCE = 0
interruption.WRITING = 3600
interruption.install()
sync = os.fsync

def slow(handle):
    os.kill(os.getpid(), signal.SIGTERM)
    while not interruption.is_cancelled():
        pass
    sync(handle)

os.fsync = slow
with interruption.letting_go(lambda: print("let go", os.listdir(folder), flush=True)):
    files.write_atomically(folder / "file", b"whole")
    while True:
        pass
"""


def test_a_file_is_written_to_its_end_before(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WRITING, str(tmp_path)],
        capture_output=True, text=True, timeout=LONG, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (143, "spotlab: cancelled\n")
    assert ended.stdout == "let go ['file']\n"
    assert (tmp_path / "file").read_bytes() == b"whole"


def test_who_ignores_ctrl_c_goes_on(tmp_path: Path) -> None:
    code = (
        "import os, signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from spotlab import interruption; interruption.install()\n"
        "os.kill(os.getpid(), signal.SIGINT); print('done')"
    )
    assert child(code).stdout == "done\n"


def test_every_command_has_a_recipe_for_the_long_run() -> None:
    assert {name.partition("@")[0].strip() for name in RECIPES} == set(commands())
