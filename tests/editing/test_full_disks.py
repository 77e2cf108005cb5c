"""Really full disks, really read-only folders: nothing is lost, and the old file is as it was."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from spotlab.editing.journal import journal_path
from spotlab.editing.journal_file import second_journal_path
from spotlab.editing.session import EditingSession
from spotlab.errors import NotSaved
from spotlab.formats.truth import page_xml
from spotlab.model import Page
from tests.editing.killed import draw, in_a_child

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


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
    assert session.recovered == (
        f"the journal belongs to another image of the same name; it is kept as {kept}"
    )
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
    (folder / "state" / "spotlab").chmod(0o777)  # with the key
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
