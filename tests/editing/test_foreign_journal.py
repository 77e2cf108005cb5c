"""A journal that this user's spotlab has not signed is left alone until somebody decides."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spotlab.editing.collection_step import survey_pages
from spotlab.editing.journal import journal_path
from spotlab.editing.journal_file import second_journal_path
from spotlab.editing.session import EditingSession
from spotlab.errors import NotSaved
from spotlab.formats.collection.folder import scan
from spotlab.formats.truth import page_xml
from spotlab.model import Page
from tests.editing.killed import Writer, draw

pytestmark = pytest.mark.usefixtures("patient")

OWN = ["sofa", "bed"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "plan.xml"


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path / "plan.png", 100, 80)


def write_steps(path: Path, page: Page, *names: str) -> bytes:
    """Draw, save the first region, and leave the rest in the journal."""
    session = EditingSession.open(path, page)
    for number, name in enumerate(names):
        draw(session, name)
        if not number:
            session.save()
    session.close()
    return journal_path(path).read_bytes()


@pytest.fixture
def theirs(path: Path, page: Page, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> bytes:
    """A journal with two unsaved steps that somebody else has written."""
    with monkeypatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(tmp_path / "their-state"))
        return write_steps(path, page, "divan", "chair", "lamp")


def labels(session: EditingSession) -> list[str]:
    return [region.label for region in session.document]


def opened(path: Path, page: Page) -> tuple[list[str], bool]:
    """The labels that the next start finds, and whether it asks."""
    session = EditingSession.open(path, page)
    session.close()
    return labels(session), session.left is not None


def change_lines(content: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Change the lines of a journal and give each its right checksum."""
    lines = []
    for line in content.splitlines():
        value = json.loads(line)
        del value["sum"]
        change(value)
        body = json.dumps(value, separators=(",", ":"))[:-1].encode()
        lines.append(body + b',"sum":"%08x"}\n' % zlib.crc32(body))
    return b"".join(lines)


def test_steps_of_somebody_else_are_not_applied_unasked(
    path: Path, page: Page, theirs: bytes
) -> None:
    session = EditingSession.open(path, page)
    assert labels(session) == ["divan"]
    assert session.recovered == ""
    assert session.left is not None
    assert session.left.names == ["Draw chair", "Draw lamp"]
    draw(session, "own")
    assert session.journal == second_journal_path(path)
    session.close()  # killed
    assert opened(path, page) == (["divan", "own"], True)
    session = EditingSession.open(path, page)
    session.save()
    session.close()
    assert opened(path, page) == (["divan", "own"], True)
    assert journal_path(path).read_bytes() == theirs


@pytest.mark.parametrize("edited_first", [False, True])
def test_steps_are_applied_when_asked_to(
    path: Path, page: Page, theirs: bytes, edited_first: bool
) -> None:
    session = EditingSession.open(path, page)
    assert session.left is not None
    own = ["own"] if edited_first else []
    if edited_first:
        draw(session, "own")
        session.save()
    shown: list[object] = []
    session.document.changed.connect(shown.append)
    assert session.take(session.left) == "Recovered 2 steps on plan that had not been saved"
    assert len(shown) == 2
    assert not journal_path(path).exists()
    drawn = labels(session)
    assert sorted(drawn) == sorted(["divan", *own, "chair", "lamp"])
    session.close()  # killed
    assert opened(path, page) == (drawn, False)
    session = EditingSession.open(path, page)
    session.history.undo()
    session.history.undo()
    assert labels(session) == ["divan", *own]
    session.history.redo()
    session.save()
    assert [region.label for region in page_xml.read(path).regions] == labels(session)
    session.close()


def test_the_own_journal_is_taken_over_unasked(path: Path, page: Page) -> None:
    write_steps(path, page, *OWN)
    assert opened(path, page) == (OWN, False)


def test_a_line_that_somebody_added_is_not_taken_for_an_own_one(path: Path, page: Page) -> None:
    content = write_steps(path, page, *OWN)
    *_, last = content.splitlines(keepends=True)

    def add(value: dict[str, Any]) -> None:
        value["n"] = 2
        value["edits"][0]["insert"] |= {"id": "r2", "label": "evil"}

    copied = change_lines(last, add)  # with the signature of the line before
    unsigned = change_lines(last, lambda value: (add(value), value.pop("signed")))
    for line in (copied, unsigned):
        journal_path(path).write_bytes(content + line)
        session = EditingSession.open(path, page)
        assert labels(session) == ["sofa"]
        assert session.left is not None
        assert session.left.names == ["Draw bed", "Draw bed"]
        session.close()
    journal_path(path).write_bytes(content)
    assert opened(path, page) == (OWN, False)


def test_a_changed_line_is_not_taken_for_an_own_one(path: Path, page: Page) -> None:
    content = write_steps(path, page, *OWN)
    header, step = content.splitlines(keepends=True)
    for changed in (
        header + change_lines(step, lambda value: value.update(do="Draw  bed")),
        change_lines(header, lambda value: value["page"].update(width=90)) + step,
    ):
        journal_path(path).write_bytes(changed)
        assert opened(path, page) == (["sofa"], True)


def test_a_journal_of_an_older_version_is_asked_about(path: Path, page: Page) -> None:
    content = write_steps(path, page, *OWN, "sink")
    old = change_lines(content, lambda value: (value.pop("signed"), value.pop("lease", None)))
    journal_path(path).write_bytes(old)
    session = EditingSession.open(path, page)
    assert labels(session) == ["sofa"]
    assert session.left is not None
    assert session.left.host == ""
    session.take(session.left)
    assert labels(session) == [*OWN, "sink"]
    session.close()
    second_journal_path(path).unlink()
    second_journal_path(path).write_bytes(old)  # where only the user can have put it
    assert opened(path, page) == ([*OWN, "sink"], False)


def test_a_journal_that_adds_nothing_is_not_asked_about(
    path: Path, page: Page, theirs: bytes
) -> None:
    session = EditingSession.open(path, page)
    assert session.left is not None
    session.take(session.left)
    session.save()
    session.close()
    saving = theirs.splitlines(keepends=True)[0]
    journal_path(path).write_bytes(saving)
    assert not opened(path, page)[1]


def test_a_damaged_journal_of_somebody_else_is_kept(path: Path, page: Page, theirs: bytes) -> None:
    damaged = theirs.replace(b"Draw chair", b"Draw_chair")
    journal_path(path).write_bytes(damaged)
    session = EditingSession.open(path, page)
    assert session.left is not None
    text = session.take(session.left)
    assert "1 step could not be read" in text
    assert labels(session) == ["divan", "lamp"]
    assert path.with_name("plan.xml.journal.damaged").read_bytes() == damaged
    assert not journal_path(path).exists()
    session.close()


def test_steps_for_another_state_of_the_file_come_into_a_copy(
    path: Path, page: Page, theirs: bytes
) -> None:
    path.write_bytes(path.read_bytes().replace(b"divan", b"table"))
    session = EditingSession.open(path, page)
    assert session.left is not None
    draw(session, "own")
    assert "are in plan.recovered.xml" in session.take(session.left)
    assert labels(session) == ["table", "own"]
    copy = page_xml.read(path.with_name("plan.recovered.xml"))
    assert [region.label for region in copy.regions] == ["divan", "chair", "lamp"]
    assert not journal_path(path).exists()
    session.close()
    assert opened(path, page) == (["table", "own"], False)


def test_a_journal_that_changed_since_is_not_applied(path: Path, page: Page, theirs: bytes) -> None:
    session = EditingSession.open(path, page)
    left = session.left
    assert left is not None
    journal_path(path).write_bytes(theirs.splitlines(keepends=True)[0])
    with pytest.raises(NotSaved, match="has changed since it was read: open the page again"):
        session.take(left)
    journal_path(path).unlink()
    with pytest.raises(NotSaved, match="cannot be read: it does not exist"):
        session.take(left)
    assert labels(session) == ["divan"]
    session.close()


def test_looking_through_the_pages_applies_nothing(path: Path, page: Page, theirs: bytes) -> None:
    found = survey_pages(scan([path.parent]), "chair")
    assert "chair" not in found.used
    assert journal_path(path).read_bytes() == theirs


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_own_kills_are_recovered_unasked_again_and_again(path: Path, page: Page) -> None:
    drawn: list[str] = []
    for number in range(5):
        writer = Writer(path, page)
        names = [f"n{number}a", f"n{number}b"]
        writer.draw(*names)
        drawn += names
        if number == 2:
            assert writer.save() == ""
        writer.kill()
        session = EditingSession.open(path, page)
        assert session.left is None
        session.close()
        assert labels(session) == drawn
