"""Nothing leaves the machine, and nothing is left behind: each command and workspace is watched.

Each runs under strace with an empty home and, where the system allows, without a network. Only
folders of spotlab's own and the outputs that were named may remain, and no socket may be opened
but those between processes of this machine.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

from spotlab.resources import sample_collection
from tests.soak.recipe_files import prepare
from tests.soak.recipes import RECIPES, commands, places

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 900  # s
CALLS = (
    "socket,connect,sendto,sendmsg,sendmmsg,open,openat,creat,mkdir,mkdirat,rename,renameat,"
    "renameat2,link,linkat,symlink,symlinkat,mknod,mknodat"
)
# of programs on this machine: between processes, and with the kernel
LOCAL = ("AF_UNIX", "AF_LOCAL", "AF_NETLINK")
# what may remain in the home; fontconfig is the system's, and its cache is every program's
OWN = (
    ".cache/spotlab", ".config/spotlab", ".local/state/spotlab", ".local/share/spotlab",
    ".cache/fontconfig",
)  # fmt: skip
DEVICES = ("/dev/null", "/dev/shm/sem.", "/dev/shm/psm_", "/dev/tty", "/proc/self/")
# they are told to talk to a cluster, by its address
ON_THE_NETWORK = tuple(name for name in RECIPES if name.endswith("@cluster"))
# of a window until it is closed by a signal
WINDOWS = ("demo", "open")
LEARNING = ("adapt words", "train symbols", "train words")

WORKSPACES = """
import sys
from pathlib import Path
from spotlab.gui.kit.settings import Settings
from spotlab.gui.window import app
from tests.gui.windows import close, open_window, settle

app.application()
window = open_window(Path(sys.argv[1]), *map(Path, sys.argv[2:]))
for name in window.workspaces:
    window.enter(name)
    settle()
    print(name, flush=True)
close(window)
"""


@dataclass(frozen=True)
class Watched:
    """What a process and all below it have done.

    Attributes
    ----------
    code : int
    said : str
        On standard output and standard error.
    sockets : list of str
        Calls for sockets that may leave the machine.
    outside : list of str
        Paths made outside of the home, the temporary folder and the working folder.
    left : list of str
        Files left in the home where they should not be, or in the temporary folder.
    """

    code: int
    said: str
    sockets: list[str]
    outside: list[str]
    left: list[str]


@cache
def _tracer() -> tuple[str, ...]:
    """The command that watches another; () where there is no strace, or it may not trace."""
    strace = ("strace", "-f", "-qq", "-e", "signal=none", "-e", f"trace={CALLS}", "-s", "300")
    for tracer in ((*strace, "--seccomp-bpf"), strace):
        for alone in (("unshare", "-rn"), ()):
            try:
                done = subprocess.run([*alone, *tracer, "true"], capture_output=True, check=False)
            except OSError:
                continue
            if done.returncode == 0:
                return (*alone, *tracer)
    return ()


def watch(folder: Path, command: Sequence[object], **surroundings: str) -> Watched:
    """Run a command with an empty home and see what it does."""
    if not _tracer():
        pytest.skip("strace is not installed, or may not watch processes here")
    for name in ("home", "tmp", "work"):
        (folder / name).mkdir(parents=True)
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    home = {
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "QT_QPA_PLATFORM": "offscreen",
        "LANG": "C.UTF-8",
    }
    trace = folder / "trace"
    done = subprocess.run(
        [*_tracer(), "-o", str(trace), *map(str, command)],
        env={**kept, **home, **surroundings}, cwd=folder / "work", stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=LONGEST,
    )  # fmt: skip
    calls = trace.read_text("utf-8", "replace").splitlines()
    sockets = [line for line in calls if "AF_" in line and not any(each in line for each in LOCAL)]
    return Watched(done.returncode, done.stdout, sockets, list(_outside(calls, folder)),
                   list(_left(folder)))  # fmt: skip


def _outside(calls: Sequence[str], folder: Path) -> Iterator[str]:
    """Paths that were made or opened for writing, and are not below the folder."""
    for line in calls:
        opened = re.search(r"\b(?:open|openat)\(", line)
        if " = -1 " in line or " = ? " in line or "resumed>" in line:
            continue
        if opened and not re.search(r"O_WRONLY|O_RDWR|O_CREAT", line):
            continue
        for path in re.findall(r'"(/[^"]*)"', line):
            if not path.startswith((f"{folder}/", *DEVICES)):
                yield line


def _left(folder: Path) -> Iterator[str]:
    for file in folder.joinpath("tmp").rglob("*"):
        yield str(file.relative_to(folder))
    for file in folder.joinpath("home").rglob("*"):
        name = str(file.relative_to(folder / "home"))
        if not file.is_dir() and not name.startswith(tuple(f"{own}/" for own in OWN)):
            yield f"home/{name}"


def spotlab(*arguments: object) -> list[object]:
    return [sys.executable, "-m", "spotlab", *arguments]


def check(seen: Watched) -> None:
    assert seen.code == 0, seen.said
    assert not seen.sockets, "it talks to the network"
    assert not seen.outside, "it writes elsewhere"
    assert not seen.left, "it leaves files behind"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare(tmp_path_factory.mktemp("silence") / "made")


def test_every_command_is_watched() -> None:
    assert {name.partition(" @")[0] for name in WATCHED} | set(WINDOWS) == set(commands())


def test_what_talks_is_noticed(tmp_path: Path) -> None:
    ask = "import socket; socket.socket().connect_ex(('192.0.2.1', 53)); open('%s/x', 'w')"
    seen = watch(tmp_path, [sys.executable, "-c", ask % (tmp_path / "home")])
    assert seen.sockets and seen.left == ["home/x"] and not seen.outside
    write = f"open('{tmp_path.parent / 'elsewhere'}', 'w')"
    seen = watch(tmp_path / "again", [sys.executable, "-c", write])
    assert len(seen.outside) == 1 and not seen.sockets and not seen.left


def test_networks_are_run_in_silence(tmp_path: Path) -> None:
    """Of all that spotlab uses, ONNX Runtime is what reports to its maker, unless told not to."""
    run = (
        "import spotlab, numpy as np\n"
        "from spotlab.resources import needed_model\n"
        "from spotlab.spotting.networks import prepare_network\n"
        "engine = prepare_network(needed_model('symbols.onnx').read_bytes())\n"
        "engine.run(np.zeros((1, 1, 48, 48), np.float32), 'pictures', ['embedding', 'symbol'])\n"
    )
    check(watch(tmp_path, [sys.executable, "-c", run]))


def test_no_onnx_runtime_is_allowed_that_has_not_passed_here() -> None:
    """A newer one may report in another way: raise the bound only with the newer one installed."""
    allowed = re.search(r'"onnxruntime>=[\d.]+,<1\.(\d+)', (ROOT / "pyproject.toml").read_text())
    assert allowed
    _, installed, *_ = version("onnxruntime").split(".")
    assert int(allowed[1]) <= int(installed) + 1


def test_doctor_is_silent(tmp_path: Path) -> None:
    check(watch(tmp_path, spotlab("doctor")))


WATCHED = [name for name in RECIPES if name not in (*ON_THE_NETWORK, *WINDOWS)]


@pytest.mark.slow
@pytest.mark.parametrize("name", WATCHED)
def test_command(name: str, tmp_path: Path, made: Path) -> None:
    if name in LEARNING:
        pytest.importorskip("torch")
        pytest.importorskip("onnx")
    out = tmp_path / "work" / "out"
    words = [word.format(**places(made), out=out) for word in RECIPES[name].split()]
    begin = f'mkdir {out} && exec "$@"'
    command = spotlab(*name.partition("@")[0].split(), *words)
    path = f"{made / 'bin'}:{os.environ['PATH']}"
    check(watch(tmp_path, ["sh", "-c", begin, "sh", *command], PATH=path))


@pytest.mark.slow
def test_every_workspace(tmp_path: Path) -> None:
    plans = shutil.copytree(sample_collection(), tmp_path / "work-copy")
    arguments = [tmp_path / "work", plans, *sorted((plans / "runs").glob("*.csv"))[:2]]
    seen = watch(tmp_path, [sys.executable, "-c", WORKSPACES, *arguments])
    check(seen)
    assert {"annotate", "inspect", "words", "systems"} <= set(seen.said.split())


@pytest.mark.slow
@pytest.mark.parametrize("name", WINDOWS)
def test_window(name: str, tmp_path: Path, made: Path) -> None:
    words = [word.format(**places(made)) for word in RECIPES[name].split()]
    wait = 'timeout --signal=TERM --preserve-status 40 "$@"; [ $? -eq 143 ] || [ $? -eq 0 ]'
    check(watch(tmp_path, ["sh", "-c", wait, "sh", *spotlab(name, *words)]))
