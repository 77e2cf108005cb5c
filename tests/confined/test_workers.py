"""Files are read by a process that may crash, hang or be too large, and one that asks goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from PIL import Image

from spotlab.confined import client
from spotlab.errors import BadInput, Cancelled
from spotlab.imaging.reading.pixels import read_header, read_page, read_thumbnail
from tests.imaging.hostile_files import nested_forms

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are those of Linux")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.png"
    Image.effect_noise((300, 200), 90).save(path)
    return path


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    path = tmp_path / "hostile.pdf"
    path.write_bytes(nested_forms(9))
    return path


def meanwhile(do: signal.Signals, path: Path) -> Thread:
    """Send a signal to the worker of this file as soon as it has used some time on it."""

    def act() -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            time.sleep(0.05)
            for worker in tuple(client._all):
                if worker.path == path and worker not in client._idle:
                    time.sleep(0.3)
                    with suppress(ProcessLookupError):
                        os.kill(worker.process.pid, do)
                    return

    thread = Thread(target=act)
    thread.start()
    return thread


def test_pages_are_what_the_file_holds_and_may_be_kept(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[client.WorkerProcess] = []

    class Counted(client.WorkerProcess):
        def __init__(self) -> None:
            super().__init__()
            started.append(self)

    monkeypatch.setattr(client, "WorkerProcess", Counted)
    expected = np.asarray(Image.open(page))
    pages = [read_page(page) for _ in range(3)]
    Image.new("L", (1500, 2000), 9).save(tmp_path / "other.png")
    large = [read_page(tmp_path / "other.png") for _ in range(3)]
    del large[1]
    read_page(tmp_path / "other.png")[...] = 77

    assert all(np.array_equal(pixels, expected) for pixels in pages)
    assert all((pixels == 9).all() for pixels in large)
    pages[0][0, 0] = 3  # who gets a page may write to it
    assert len(started) <= 1  # all are read by one process, which may have been there before


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
def test_a_worker_that_dies_is_one_refusal_and_the_next_file_is_read(
    page: Path, hostile: Path, number: signal.Signals
) -> None:
    thread = meanwhile(number, hostile)
    with pytest.raises(BadInput, match=rf"hostile\.pdf: reading it was ended by {number.name}"):
        read_page(hostile)
    thread.join()
    assert read_page(page).shape == (200, 300)


def test_a_worker_that_died_while_nobody_asked_is_not_noticed(page: Path) -> None:
    read_header(page)
    for worker in tuple(client._idle):
        os.kill(worker.process.pid, signal.SIGKILL)
        worker.process.wait()
    assert read_header(page).width == 300


def test_a_worker_that_hangs_is_given_up(
    page: Path, hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "SILENCE", 1.0)
    thread = meanwhile(signal.SIGSTOP, hostile)
    with pytest.raises(BadInput, match=r"hostile\.pdf: reading it was given up after 1 s"):
        read_page(hostile)
    thread.join()
    monkeypatch.undo()
    assert read_page(page).shape == (200, 300)


def test_cancelling_ends_what_does_not_listen(page: Path, hostile: Path) -> None:
    end = time.monotonic() + 0.5

    def progress(_done: int, _total: int | None, _doing: str) -> None:
        if time.monotonic() > end:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_page(hostile, progress=progress)
    assert read_page(page).shape == (200, 300)


@pytest.mark.slow
def test_memory_is_limited(page: Path, hostile: Path) -> None:
    with pytest.raises(BadInput, match=r"hostile\.pdf: reading it .*900 MB of memory"):
        read_page(hostile)
    with pytest.raises(BadInput, match=r"hostile\.pdf: reading it .*900 MB of memory"):
        read_thumbnail(hostile)
    assert read_page(page).shape == (200, 300)


@pytest.mark.slow
def test_processor_time_is_limited(page: Path, hostile: Path) -> None:
    limits = client.TaskLimits(bytes=10**12, seconds=1)
    with pytest.raises(BadInput, match=r"hostile\.pdf: reading it takes more than 1 s"):
        client.read(
            hostile,
            "spotlab.imaging.reading.decoding:_page",
            {"path": str(hostile), "frame": 0},
            limits,
        )
    assert read_page(page).shape == (200, 300)


@pytest.mark.slow
def test_a_worker_has_no_network_and_ends_with_its_caller(page: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; "
        "from spotlab.imaging.reading.pixels import read_header;"
        "from spotlab.confined import client; read_header(Path(sys.argv[1]));"
        "[worker] = client._idle; number = worker.process.pid;"
        "print(number, os.readlink(f'/proc/{number}/ns/net'), os.readlink('/proc/self/ns/net'),"
        " flush=True); os._exit(0)"
    )
    command = [sys.executable, "-c", script, str(page)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    number, inside, outside = done.stdout.split()
    can = subprocess.run(["unshare", "-n", "true"], check=False, capture_output=True)
    assert inside != outside or can.returncode
    end = time.monotonic() + 30
    while Path(f"/proc/{number}").exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not Path(f"/proc/{number}").exists()


def test_nothing_is_imported_from_the_folder_one_works_in(page: Path) -> None:
    for name in ("numpy", "PIL", "spotlab", "json", "runpy"):
        (page.parent / f"{name}.py").write_text("raise SystemExit('imported from the folder')")
    script = "import sys; sys.path.remove(''); import spotlab.imaging.reading.pixels as p;"
    script += "print(p.read_page('page.png').shape)"
    environment = os.environ | {"PYTHONPATH": str(Path(client.__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=page.parent,
        env=environment, check=False,
    )  # fmt: skip
    assert done.stdout == "(200, 300)\n", done.stderr


def test_a_copy_of_the_process_has_workers_of_its_own(page: Path) -> None:
    read_header(page)
    child = os.fork()
    if not child:
        os._exit(0 if read_page(page).shape == (200, 300) else 1)
    assert read_page(page).shape == (200, 300)
    assert os.waitpid(child, 0)[1] == 0
    assert read_page(page).shape == (200, 300)
