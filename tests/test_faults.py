"""Really killed, really full, really read-only: at most an unfinished step is missing."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from spotlab.editing.journal import journal_path
from spotlab.editing.journal_file import second_journal_path
from spotlab.editing.session import EditingSession
from spotlab.errors import NotSaved
from spotlab.formats import page_xml
from spotlab.formats.atomic import clear_stale
from spotlab.model import Page, Region

SQUARE = ((0, 0), (10, 0), (10, 10), (0, 10))
WATCHED = ("write", "fsync", "replace", "ftruncate", "unlink", "open", "lseek", "link", "close")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def draw(session: EditingSession, label: str) -> None:
    session.history.do(f"Draw {label}", session.document.adding(Region(SQUARE, label)))


def in_a_child(work: Callable[[], object]) -> int:
    """Do the work in a process of its own; gives how it ended."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)
    return os.waitpid(child, 0)[1]


def scenario(folder: Path, acknowledged: int) -> None:
    """Eight steps with two saves; every step that is through is reported on a pipe."""
    session = EditingSession.open(folder / "plan.xml", Page(folder / "plan.png", 100, 80))
    for number in range(8):
        draw(session, f"number {number}")
        os.write(acknowledged, b".")
        if number in (2, 5):
            session.save()
    session.history.undo()
    os.write(acknowledged, b"u")


def killing_at(call: int, spare: int) -> None:
    """Kill this process when it makes its n-th call that can change a file."""
    count = 0
    for name in WATCHED:
        original = getattr(os, name)

        def counted(*args: object, original: Callable[..., object] = original, **more: object):
            nonlocal count
            if args and args[0] == spare:
                return original(*args, **more)
            count += 1
            if count == call:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(*args, **more)

        setattr(os, name, counted)


@pytest.mark.parametrize("beside", [True, False], ids=["beside", "in the second place"])
def test_a_kill_at_any_system_call_loses_at_most_an_unfinished_step(
    tmp_path: Path, beside: bool
) -> None:
    call = 0
    while True:
        call += 1
        folder = tmp_path / str(call)
        folder.mkdir()
        if not beside:
            journal_path(folder / "plan.xml").mkdir()
        reader, writer = os.pipe()

        def work(writer: int = writer, call: int = call, folder: Path = folder) -> None:
            killing_at(call, writer)
            scenario(folder, writer)

        ended = in_a_child(work)
        os.close(writer)
        through = os.read(reader, 100)
        os.close(reader)
        page = Page(folder / "plan.png", 100, 80)
        session = EditingSession.open(folder / "plan.xml", page)
        drawn = [region.label for region in session.document]
        steps = through.count(b".")
        expected = [f"number {number}" for number in range(steps)]
        if b"u" in through:
            assert drawn == expected[:-1]
        else:
            # one more step may be in the journal although nobody has been told
            one_more = [[*expected, f"number {steps}"]] if steps < 8 else [expected[:-1]]
            assert drawn in [expected, *one_more], f"killed at call {call} after {steps} steps"
        assert not list(folder.glob("*.recovered*"))
        if steps > 3:
            page_xml.read(folder / "plan.xml")  # whole, whatever happened
        session.close()
        clear_stale([folder / "plan.xml"])
        assert not list(folder.glob(".*")), "nothing half-written stays"
        if ended == 0:
            break
        assert os.WTERMSIG(ended) == signal.SIGKILL
    assert call > 40, "the scenario makes many calls; a kill at each has been tried"


def test_a_kill_at_any_system_call_of_a_recovery_loses_nothing(tmp_path: Path) -> None:
    """The journal is damaged; there is a window that was killed while it took it over."""
    session = EditingSession.open(tmp_path / "plan.xml", Page(tmp_path / "plan.png", 100, 80))
    for number in range(6):
        draw(session, f"number {number}")
    session.close()
    lines = journal_path(session.path).read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:3], b"{" + lines[3], *lines[4:]])
    expected = [f"number {number}" for number in (0, 1, 3, 4, 5)]
    for call in range(1, 1000):
        folder = tmp_path / str(call)
        folder.mkdir()
        page = Page(folder / "plan.png", 100, 80)
        journal_path(folder / "plan.xml").write_bytes(damaged)

        def work(call: int = call, folder: Path = folder, page: Page = page) -> None:
            killing_at(call, -1)
            EditingSession.open(folder / "plan.xml", page)

        ended = in_a_child(work)
        session = EditingSession.open(folder / "plan.xml", page)
        assert [region.label for region in session.document] == expected
        assert [path.read_bytes() for path in folder.glob("*.damaged*")] == [damaged]
        session.save()
        session.close()
        assert not journal_path(session.path).exists()
        if ended == 0:
            break
    assert 5 < call < 1000


def test_a_program_killed_at_random_moments_loses_nothing(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from spotlab.editing.session import EditingSession
from spotlab.model import Page, Region
folder = Path(sys.argv[1])
session = EditingSession.open(folder / "plan.xml", Page(folder / "plan.png", 100, 80))
for number in range(len(session.document), 100_000):
    region = Region(((0, 0), (10, 0), (10, 10)), f"n{number}")
    session.history.do("Draw", session.document.adding(region))
    print(number, flush=True)
    if number % 7 == 0:
        session.save()
"""
    last = -1
    for round in range(6):
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout
        for _ in range(5 + 9 * round):
            last = int(process.stdout.readline())
        process.kill()
        rest = process.stdout.read().split("\n")
        last = max([last, *(int(line) for line in rest[:-1] if line)])
        process.wait()
        session = EditingSession.open(tmp_path / "plan.xml", Page(tmp_path / "plan.png", 100, 80))
        assert len(session.document) in (last + 1, last + 2)
        assert [region.label for region in session.document] == [
            f"n{n}" for n in range(len(session.document))
        ]
        session.close()


def fault(folder: Path, after: Callable[[], object], free: Callable[[], object]) -> None:
    """A save fails, the old file is intact, work goes on; with room again all is written."""
    path = folder / "plan.xml"
    session = EditingSession.open(path, Page(folder / "plan.png", 100, 80))
    draw(session, "sofa")
    session.save()
    old = path.read_bytes()
    after()
    for number in range(300):
        draw(session, f"number {number}")
    try:
        session.save()
    except NotSaved as error:
        assert "plan.xml was not saved" in str(error)
        assert "\n" not in str(error)
    else:
        raise AssertionError("the save should have failed")
    assert path.read_bytes() == old
    assert session.dirty
    assert len(session.document) == 301
    assert not list(folder.glob("*.tmp")), "nothing half-written stays"
    free()
    draw(session, "last")
    assert session.trouble == ""
    session.save()
    assert len(page_xml.read(path).regions) == 302
    assert not journal_path(path).exists()


def test_a_file_size_limit(tmp_path: Path) -> None:
    def limit(size: int) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    assert (
        in_a_child(
            lambda: fault(tmp_path, lambda: limit(8_000), lambda: limit(resource.RLIM_INFINITY))
        )
        == 0
    )


class SmallDisk:
    """A disk of 128 KB, which can be filled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        with self._filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 512)

    def free(self) -> None:
        self._filler.unlink()
        subprocess.run(["mount", "-o", "remount,size=8m", str(self.folder)], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(folder)],
        check=False,
        capture_output=True,
    )
    if mount.returncode:
        pytest.skip("a small disk can only be mounted by root")
    yield SmallDisk(folder)
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk(disk: SmallDisk) -> None:
    fault(disk.folder, disk.fill, disk.free)


@pytest.mark.parametrize("before", [0, 7])
def test_a_full_disk_and_then_a_kill(disk: SmallDisk, before: int) -> None:
    """The steps before the disk was full may be in the journal beside the truth file."""
    path, page = disk.folder / "plan.xml", Page(disk.folder / "plan.png", 100, 80)

    def work() -> None:
        session = EditingSession.open(path, page)
        for number in range(before):
            draw(session, f"n{number}")
        disk.fill()
        for number in range(before, 60):
            draw(session, f"n{number}")
        assert session.trouble == ""
        assert session.journal == second_journal_path(path)
        os.kill(os.getpid(), signal.SIGKILL)

    assert os.WTERMSIG(in_a_child(work)) == signal.SIGKILL
    assert bool(journal_path(path).stat().st_size) == bool(before)
    for _ in range(2):  # the second start finds what the first one left
        session = EditingSession.open(path, page)
        assert session.recovered == "Recovered 60 steps on plan that had not been saved"
        assert [region.label for region in session.document] == [f"n{n}" for n in range(60)]
        session.close()
    disk.free()
    session = EditingSession.open(path, page)
    session.save()
    assert len(page_xml.read(path).regions) == 60
    assert not journal_path(path).exists()
    assert not second_journal_path(path).exists()
    assert EditingSession.open(path, page).recovered == ""


def test_two_journals_of_different_work_are_both_kept(tmp_path: Path) -> None:
    path, page = tmp_path / "plan.xml", Page(tmp_path / "plan.png", 100, 80)
    second = second_journal_path(path)

    def left(count: int) -> bytes:
        session = EditingSession.open(path, page)
        for number in range(count):
            draw(session, f"{count}.{number}")
        session.close()
        content = journal_path(path).read_bytes()
        journal_path(path).unlink()
        return content

    other, longer = left(2), left(3)
    journal_path(path).write_bytes(other)
    second.parent.mkdir(parents=True, exist_ok=True)
    second.write_bytes(longer)
    session = EditingSession.open(path, page)
    assert [region.label for region in session.document] == ["3.0", "3.1", "3.2"]
    kept = tmp_path / "plan.xml.journal.damaged"
    assert kept.read_bytes() == other
    assert f"another journal of this page is kept as {kept}" in session.recovered
    session.save()
    assert not journal_path(path).exists() and not second.exists()


def test_the_journal_of_another_disk_at_the_same_place_is_not_taken(disk: SmallDisk) -> None:
    path = disk.folder / "plan.xml"
    session = EditingSession.open(path, Page(disk.folder / "plan.png", 100, 80))
    disk.fill()
    draw(session, "sofa")
    session.close()
    journal_path(path).unlink()  # with the disk
    session = EditingSession.open(path, Page(disk.folder / "plan.png", 90, 70))
    assert len(session.document) == 0
    kept = Path(f"{second_journal_path(path)}.damaged")
    assert session.recovered == f"a journal of another image of this name is kept as {kept}"
    assert kept.exists() and not second_journal_path(path).exists()


def test_a_damaged_journal_and_a_full_disk(disk: SmallDisk) -> None:
    path, page = disk.folder / "plan.xml", Page(disk.folder / "plan.png", 100, 80)
    session = EditingSession.open(path, page)
    for number in range(5):
        draw(session, f"n{number}")
    session.close()
    lines = journal_path(path).read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:3], b"{" + lines[3], *lines[4:]])
    journal_path(path).write_bytes(damaged)
    disk.fill()
    for _ in range(2):
        session = EditingSession.open(path, page)
        assert len(session.document) == 4
        draw(session, "after")
        assert session.trouble == ""
        session.history.undo()
        session.close()
    kept = disk.folder / "plan.xml.journal.damaged"
    assert kept.read_bytes() == damaged


def test_what_is_durable_when(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step soon after it; the journal before the truth file is replaced, its name after."""
    events: list[str] = []
    synced = threading.Event()
    fsync, replace = os.fsync, os.replace

    def note_fsync(handle: int) -> None:
        name = os.path.basename(os.readlink(f"/proc/self/fd/{handle}"))
        events.append("temporary" if name.endswith(".tmp") else name)
        fsync(handle)
        if name == tmp_path.name:
            synced.set()

    def note_replace(old: str, new: str) -> None:
        events.append("replace")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    session = EditingSession.open(tmp_path / "plan.xml", Page(tmp_path / "plan.png", 100, 80))
    draw(session, "sofa")
    assert synced.wait(30), "without another step or a save"
    assert events == ["plan.xml.journal", tmp_path.name]
    events.clear()
    session.save()
    assert events == ["plan.xml.journal", "temporary", "replace", tmp_path.name]


def as_a_user(folder: Path, work: Callable[[], object]) -> int:
    """Do the work in a process that may not write everywhere, as root may."""

    def changed() -> None:
        if os.geteuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        work()

    if os.geteuid() == 0:
        for parent in folder.parents:
            if parent != Path("/"):
                os.chmod(parent, os.stat(parent).st_mode | 0o755)
        os.chown(folder, 65534, 65534)
    return in_a_child(changed)


def test_a_read_only_folder(tmp_path: Path) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    lock, free = partial(folder.chmod, 0o555), partial(folder.chmod, 0o755)
    assert as_a_user(folder, lambda: fault(folder, lock, free)) == 0


def test_a_journal_that_can_only_be_read_is_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    (folder / "state").mkdir(mode=0o777)
    (folder / "state").chmod(0o777)
    path, page = folder / "plan.xml", Page(folder / "plan.png", 100, 80)
    session = EditingSession.open(path, page)
    draw(session, "sofa")
    session.close()
    journal_path(path).chmod(0o444)
    folder.chmod(0o555)

    def work() -> None:
        for number in range(3):
            session = EditingSession.open(path, page)
            assert len(session.document) == 1 + number
            draw(session, f"n{number}")
            assert session.journal == second_journal_path(path), session.trouble
            session.close()
        folder.chmod(0o755)
        session = EditingSession.open(path, page)
        session.save()
        assert not session.dirty
        session.close()
        assert len(EditingSession.open(path, page).document) == 4
        assert os.listdir(folder / "state" / "spotlab" / "journals") == []
        assert not journal_path(path).exists()

    assert as_a_user(folder, work) == 0
