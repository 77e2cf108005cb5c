"""A journal that a program on another machine writes, where locks do not reach."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from spotlab.editing import journal, journal_file, journal_lines
from spotlab.editing.collection_step import obstacles
from spotlab.editing.journal import InUse, journal_path, read_journal
from spotlab.editing.journal_lines import signing_key
from spotlab.editing.session import EditingSession
from spotlab.formats.truth import page_xml
from spotlab.model import Page
from tests.editing.killed import Writer, draw, wait_for

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
    pytest.mark.usefixtures("patient"),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "plan.xml"


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path / "plan.png", 100, 80)


@pytest.fixture(autouse=True)
def _no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    signing_key()  # the user has one
    monkeypatch.setattr(journal_file, "lock", lambda _: True)


def on_another_machine() -> None:
    """Make this process one of another machine, where the same user has a state folder."""
    here = Path(os.environ["XDG_STATE_HOME"])
    if not here.name.endswith("-atlas"):
        there = here.with_name(f"{here.name}-atlas")
        shutil.copytree(here, there)
        os.environ["XDG_STATE_HOME"] = str(there)
    socket.gethostname = lambda: "atlas"
    journal_lines.boot_id = lambda: "another boot"
    journal_lines.RENEW_AFTER = journal_file.RENEW_AFTER = 0.1
    journal.LOOK_AFTER = 0.05


def labels(session: EditingSession) -> list[str]:
    return [region.label for region in session.document]


def make_old(path: Path) -> None:
    then = time.time() - 2 * journal_lines.STALE_AFTER
    os.utime(journal_path(path), (then, then))


def recovered(path: Path, page: Page) -> list[str]:
    session = EditingSession.open(path, page)
    try:
        return labels(session)
    finally:
        session.close()


def test_a_journal_that_lives_elsewhere_is_left_alone(path: Path, page: Page) -> None:
    writer = Writer(path, page, on_another_machine)
    writer.draw("sofa", "bed")
    session = EditingSession.open(path, page)
    assert labels(session) == []
    assert session.used_by == "another window on atlas"
    with pytest.raises(InUse, match=r"plan\.xml is being edited in another window on atlas"):
        draw(session, "mine")
    assert obstacles([path]) == {path: "plan.xml is being edited in another window on atlas"}
    assert session.look().run().used_by == "another window on atlas"
    session.close()
    writer.draw("sink")
    assert Path(writer.journal()) == journal_path(path)
    writer.kill()
    assert EditingSession.open(path, page).used_by, "it may be alive still"
    make_old(path)
    assert recovered(path, page) == ["sofa", "bed", "sink"]


def test_its_time_is_renewed_while_there_are_unsaved_steps(path: Path, page: Page) -> None:
    writer = Writer(path, page, on_another_machine)
    writer.draw("sofa")
    for _ in range(3):
        make_old(path)
        wait_for(lambda: time.time() - journal_path(path).stat().st_mtime < 60)
        assert EditingSession.open(path, page).used_by == "another window on atlas"
    writer.draw("bed")
    writer.kill()
    make_old(path)
    assert recovered(path, page) == ["sofa", "bed"]


def test_a_machine_that_slept_keeps_its_steps(path: Path, page: Page) -> None:
    """Its journal was recovered, saved and deleted here; then it goes on."""
    writer = Writer(path, page, on_another_machine)
    writer.draw("sofa", "bed")
    os.kill(writer.process, signal.SIGSTOP)
    make_old(path)
    session = EditingSession.open(path, page)
    assert labels(session) == ["sofa", "bed"]
    session.save()
    session.close()
    assert not journal_path(path).exists()
    os.kill(writer.process, signal.SIGCONT)
    writer.draw("sink")
    assert "changed by another program" in writer.save()
    writer.kill()
    make_old(path)
    session = EditingSession.open(path, page)
    assert labels(session) == ["sofa", "bed"]
    assert "plan.recovered.xml" in session.recovered
    copy = page_xml.read(path.with_name("plan.recovered.xml"))
    assert [region.label for region in copy.regions] == ["sofa", "bed", "sink"]
    session.close()


def test_on_this_machine_the_process_tells_where_there_are_no_locks(path: Path, page: Page) -> None:
    writer = Writer(path, page)
    writer.draw("sofa")
    session = EditingSession.open(path, page)
    assert session.used_by == "another window"
    session.close()
    writer.draw("bed")
    writer.kill()
    assert recovered(path, page) == ["sofa", "bed"], "at once"
    first = EditingSession.open(path, page)
    assert EditingSession.open(path, page).used_by == "another window", "of the same process"
    first.close()
    assert recovered(path, page) == ["sofa", "bed"]


@pytest.mark.parametrize("locks", [True, False])
def test_a_restarted_machine_recovers_its_own_journal(
    path: Path, page: Page, monkeypatch: pytest.MonkeyPatch, locks: bool
) -> None:
    def before_the_restart() -> None:
        journal_lines.boot_id = lambda: "the boot before"

    if locks:
        monkeypatch.undo()
    writer = Writer(path, page, before_the_restart)
    writer.draw("sofa")
    writer.kill()
    booted_at: Callable[[], float] = lambda: time.time() + 1  # noqa: E731
    monkeypatch.setattr(journal_lines, "_booted_at", booted_at)
    assert recovered(path, page) == ["sofa"]


def test_two_machines_that_begin_at_once_lose_nothing(
    path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = EditingSession.open(path, page)
    writer = Writer(path, page, on_another_machine)
    take = journal_file.JournalFile._take

    def take_slowly(file: journal_file.JournalFile, handle: int, size: int) -> None:
        take(file, handle, size)
        monkeypatch.setattr(journal_file.JournalFile, "_take", take)
        writer.draw("bed")  # while the file is still empty

    monkeypatch.setattr(journal_file.JournalFile, "_take", take_slowly)
    draw(session, "mine")
    draw(session, "mine too")
    writer.draw("sink")
    theirs, own = Path(writer.journal()), session.journal
    assert own is not None and theirs != own
    session.close()
    writer.kill()
    for place, names in ((own, ["mine", "mine too"]), (theirs, ["bed", "sink"])):
        steps = read_journal(place).steps
        assert [step.step.name for step in steps] == [f"Draw {name}" for name in names]
