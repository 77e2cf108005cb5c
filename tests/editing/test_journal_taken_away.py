"""Other programs remove, replace or cut off a journal while it is written: no step is lost."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from spotlab.editing.journal import journal_path, read_journal
from spotlab.editing.journal_file import second_journal_path
from spotlab.editing.session import EditingSession
from spotlab.formats.truth import page_xml
from spotlab.model import Page
from tests.editing.killed import Writer, draw, wait_for

pytestmark = pytest.mark.usefixtures("patient")

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
THEIRS = b"a file of somebody else\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "plans" / "plan.xml"


@pytest.fixture
def page(path: Path) -> Page:
    path.parent.mkdir()
    return Page(path.with_name("plan.png"), 100, 80)


def labels(path: Path, page: Page) -> list[str]:
    """The labels that the next start finds."""
    session = EditingSession.open(path, page)
    try:
        return [region.label for region in session.document]
    finally:
        session.close()


def replaced(journal: Path, content: bytes) -> None:
    new = journal.with_name("new")
    new.write_bytes(content)
    new.replace(journal)


def written_over(journal: Path, content: bytes) -> None:
    with journal.open("r+b") as file:
        file.truncate(0)
        file.write(content)


def cut(journal: Path) -> None:
    os.truncate(journal, journal.stat().st_size // 2)


def moved_away(journal: Path) -> None:
    shutil.move(journal.parent, journal.parent.with_name("moved"))


DEEDS: dict[str, Callable[[Path], object]] = {
    "removed": Path.unlink,
    "replaced by another file": lambda journal: replaced(journal, THEIRS),
    "replaced by an older version": lambda journal: replaced(journal, journal.read_bytes()[:-40]),
    "replaced by an empty file": lambda journal: replaced(journal, b""),
    "emptied": lambda journal: os.truncate(journal, 0),
    "cut off": cut,
    "written over": lambda journal: written_over(journal, THEIRS),
    "filled with zeros": lambda journal: written_over(journal, bytes(journal.stat().st_size)),
    "folder moved": moved_away,
    "folder removed": lambda journal: shutil.rmtree(journal.parent),
    "become a folder": lambda journal: (journal.unlink(), journal.mkdir()),
}


@pytest.mark.slow
@needs_fork
@pytest.mark.parametrize("goes_on", [True, False], ids=["another step", "no other step"])
@pytest.mark.parametrize("deed", DEEDS)
def test_a_journal_that_is_taken_away_is_written_anew(
    path: Path, page: Page, deed: str, goes_on: bool
) -> None:
    writer = Writer(path, page)
    writer.draw("sofa")
    writer.save()
    writer.draw("bed", "sink")
    truth = path.read_bytes()
    DEEDS[deed](journal_path(path))
    journals = [journal_path(path), second_journal_path(path)]
    if goes_on:
        writer.draw("lamp")
    else:
        wait_for(
            lambda: any(len(read_journal(each).steps) == 2 for each in journals if each.is_file())
        )
    writer.kill()
    if not path.parent.exists():  # the disk is there again
        path.parent.mkdir()
        path.write_bytes(truth)
    drawn = ["sofa", "bed", "sink", *(["lamp"] if goes_on else [])]
    assert labels(path, page) == drawn


@needs_fork
def test_a_file_of_somebody_else_stays(path: Path, page: Page) -> None:
    for deed in ("replaced by another file", "written over"):
        writer = Writer(path, page)
        writer.draw("sofa")
        DEEDS[deed](journal_path(path))
        writer.draw("bed")
        assert writer.journal() == str(second_journal_path(path))
        assert writer.save() == ""
        writer.draw("lamp")
        assert writer.save() == ""
        assert journal_path(path).read_bytes() == THEIRS
        writer.kill()
        assert len(page_xml.read(path).regions) == 3
        path.unlink()
        journal_path(path).unlink()


def test_it_is_said_where_nothing_can_be_written(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    draw(session, "sofa")
    shutil.rmtree(path.parent)
    second_journal_path(path).mkdir(parents=True)
    wait_for(lambda: session.trouble)
    assert f"{journal_path(path)} cannot be written: it does not exist" in session.trouble
    assert session.journal is None
    path.parent.mkdir()
    wait_for(lambda: not session.trouble)
    assert session.journal == journal_path(path)
    session.close()
    assert labels(path, page) == ["sofa"]


@needs_fork
def test_a_journal_of_another_window_is_not_taken_for_a_stolen_name(path: Path, page: Page) -> None:
    """One window's journal is removed, another window begins its own: both keep their steps."""
    other = EditingSession.open(path, page)
    writer = Writer(path, page)
    writer.draw("sofa")
    journal_path(path).unlink()
    draw(other, "bed")
    writer.draw("sink")
    assert b"Draw bed" in journal_path(path).read_bytes()
    assert b"Draw sink" in second_journal_path(path).read_bytes()
    other.save()
    other.close()
    writer.kill()
    session = EditingSession.open(path, page)
    assert [region.label for region in session.document] == ["bed"]
    copy = path.with_name("plan.recovered.xml")
    assert [region.label for region in page_xml.read(copy).regions] == ["sofa", "sink"]
    assert copy.name in session.recovered
    session.close()


@pytest.mark.slow
def test_the_own_journal_is_never_taken_for_another_window(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    for number in range(100):  # begun after the look was asked for, saved before it ends
        look = session.look()
        draw(session, f"n{number}")
        assert look.run().used_by == ""
        look = session.look()
        session.save()
        assert look.run().used_by == ""
    seen: set[str] = set()
    ended = threading.Event()

    def look_on() -> None:
        while not ended.is_set():
            seen.add(session.look().run().used_by)

    threads = [threading.Thread(target=look_on) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(100):
        draw(session, f"m{number}")
        time.sleep(0.001)
        session.save()
    ended.set()
    for thread in threads:
        thread.join()
    session.close()
    assert seen == {""}


@needs_fork
def test_looking_disturbs_nobody_who_looks(path: Path, page: Page) -> None:
    """Several windows look at a journal that was left: none takes another for its writer."""
    session = EditingSession.open(path, page)
    draw(session, "sofa")
    session.close()
    windows = [EditingSession.open(path.with_name("other.xml"), page) for _ in range(3)]
    looks = [window.look() for window in windows]
    seen: set[str] = set()

    def look_on(number: int) -> None:
        look = replace(looks[number], path=path)
        for _ in range(300):
            seen.add(look.run().used_by)

    threads = [threading.Thread(target=look_on, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {""}
