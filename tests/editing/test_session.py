"""A page's file and journal through edits, saves, other programs and full disks."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from spotlab.editing.journal import InUse, journal_path, read_journal
from spotlab.editing.journal_file import second_journal_path
from spotlab.editing.session import ChangedOnDisk, EditingSession
from spotlab.errors import BadInput, NotSaved
from spotlab.formats.truth import page_xml
from spotlab.model import LabelSet, Page, Region

SQUARE = ((0, 0), (10, 0), (10, 10), (0, 10))


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path / "plan.png", 100, 80)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "plan.xml"


def draw(session: EditingSession, label: str) -> None:
    session.history.do(f"Draw {label}", session.document.adding(Region(SQUARE, label)))


def labels(session: EditingSession) -> list[str]:
    return [region.label for region in session.document]


def found(path: Path, page: Page) -> list[str]:
    """The labels that the next start finds, which is itself killed."""
    session = EditingSession.open(path, page)
    session.close()
    return labels(session)


def killed(session: EditingSession) -> None:
    """What a kill leaves: the journal on the disk, its lock gone."""
    session.close()


def test_nothing_is_written_until_something_is_drawn(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    assert not session.dirty
    session.close()
    assert os.listdir(path.parent) == []


def test_a_step_is_in_the_journal_at_once_and_gone_after_the_save(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    draw(session, "sofa")
    assert journal_path(path).exists()
    assert not path.exists()
    session.save()
    assert not journal_path(path).exists()
    assert not session.dirty
    assert [region.label for region in page_xml.read(path).regions] == ["sofa"]


def test_what_was_not_saved_is_recovered(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    draw(session, "sofa")
    session.save()
    draw(session, "bed")
    draw(session, "sink")
    session.history.undo()
    before = session.document.truth.regions
    killed(session)

    again = EditingSession.open(path, page)
    assert again.document.truth.regions == before
    assert again.dirty
    assert "3 steps" in again.recovered
    assert again.history.redo() == "Draw sink"
    assert labels(again) == ["sofa", "bed", "sink"]
    again.history.undo()
    again.history.undo()
    assert labels(again) == ["sofa"]
    killed(again)  # a second kill, on top of the first

    third = EditingSession.open(path, page)
    assert labels(third) == ["sofa"]
    third.save()
    assert not journal_path(path).exists()
    assert EditingSession.open(path, page).recovered == ""


def test_undo_and_redo_go_across_saves(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    draw(session, "sofa")
    session.save()
    first = path.read_bytes()
    draw(session, "bed")
    session.save()
    session.history.undo()
    assert session.dirty
    session.save()
    assert labels(session) == ["sofa"]
    assert page_xml.read(path).regions == page_xml.parse(first, path).regions
    session.history.redo()
    session.save()
    assert [region.label for region in page_xml.read(path).regions] == ["sofa", "bed"]


@pytest.mark.slow
def test_a_torn_last_line_and_rubbish_behind_it_do_not_count(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    draw(session, "sofa")
    size = journal_path(path).stat().st_size
    draw(session, "bed")
    killed(session)
    whole = journal_path(path).read_bytes()
    for cut in range(size, len(whole)):
        journal_path(path).write_bytes(whole[:cut])
        session = EditingSession.open(path, page)
        before = ["sofa"] if cut < len(whole) - 1 else ["sofa", "bed"]  # whole but for its end
        assert labels(session) == before
        draw(session, "sink")
        killed(session)
        session = EditingSession.open(path, page)
        assert labels(session) == [*before, "sink"]
        killed(session)
        assert not list(path.parent.glob("*.damaged*")), "that is what a kill leaves"
    for cut in range(0, size, 7):
        journal_path(path).write_bytes(whole[:cut] + b"\x00{]\n")
        session = EditingSession.open(path, page)
        assert labels(session) == []
        killed(session)


def test_work_on_a_file_that_another_program_changed_is_kept_apart(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    draw(session, "sofa")
    session.save()
    draw(session, "bed")
    killed(session)
    theirs = path.read_bytes().replace(b"sofa", b"divan")
    path.write_bytes(theirs)

    again = EditingSession.open(path, page)
    assert labels(again) == ["divan"]
    assert path.read_bytes() == theirs
    copy = path.with_name("plan.recovered.xml")
    assert copy.name in again.recovered
    assert [region.label for region in page_xml.read(copy).regions] == ["sofa", "bed"]
    assert not journal_path(path).exists()


def test_a_save_does_not_overwrite_what_another_program_wrote(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    draw(session, "sofa")
    session.save()
    draw(session, "bed")
    path.write_bytes(b"<other/>")
    assert session.look().run().changed
    with pytest.raises(ChangedOnDisk, match=r"plan\.xml has been changed by another program"):
        session.save()
    assert path.read_bytes() == b"<other/>"
    path.unlink()
    with pytest.raises(ChangedOnDisk, match=r"plan\.xml has been removed by another program"):
        session.save()
    assert session.dirty
    session.save_copy(path.with_name("mine.xml"))
    assert len(page_xml.read(path.with_name("mine.xml")).regions) == 2
    assert session.dirty
    session.save(overwrite=True)
    assert len(page_xml.read(path).regions) == 2
    assert not session.dirty


def test_edits_while_a_save_is_being_written_stay_in_the_journal(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    draw(session, "sofa")
    save = session.begin_save()
    draw(session, "bed")
    content = save.write()
    draw(session, "sink")
    killed(session)  # between the writing and taking note of it
    kept = journal_path(path).read_bytes()
    assert found(path, page) == ["sofa", "bed", "sink"]
    journal_path(path).write_bytes(kept)

    session = EditingSession.open(path, page)
    save = session.begin_save()
    draw(session, "lamp")
    session.finish_save(save, save.write())
    assert session.dirty
    killed(session)
    assert found(path, page) == ["sofa", "bed", "sink", "lamp"]
    assert content != path.read_bytes()


def test_two_windows_cannot_edit_the_same_page(path: Path, page: Page) -> None:
    one = EditingSession.open(path, page)
    two = EditingSession.open(path, page)
    draw(one, "sofa")
    with pytest.raises(InUse, match=r"plan\.xml is being edited in another window"):
        draw(two, "bed")
    assert len(two.document) == 0
    assert found(path, page) == [], "a living window's journal is its own"
    one.save()
    with pytest.raises(ChangedOnDisk):
        two.save()


def test_the_folder_may_be_moved_between_kill_and_start(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    session = EditingSession.open(old / "plan.xml", Page(old / "plan.png", 100, 80))
    session.history.do(
        "Mark checked",
        session.document.replacing(replace(session.document.page, checked=True)),
    )
    draw(session, "sofa")
    killed(session)
    new = tmp_path / "new"
    old.rename(new)
    page = Page(new / "plan.png", 100, 80)
    again = EditingSession.open(new / "plan.xml", page)
    assert labels(again) == ["sofa"]
    assert again.document.page == replace(page, checked=True)


def test_a_truth_file_that_makes_no_sense_is_left_alone(path: Path, page: Page) -> None:
    path.write_bytes(b"<PcGts><Page")
    with pytest.raises(BadInput, match=r"plan\.xml"):
        EditingSession.open(path, page)
    assert path.read_bytes() == b"<PcGts><Page"
    with pytest.raises(BadInput, match="no such truth file"):
        EditingSession.open(path.with_name("none.xml"))


def test_a_missing_folder_is_one_clear_line(tmp_path: Path) -> None:
    session = EditingSession.open(tmp_path / "gone" / "plan.xml", Page(Path("plan.png"), 10, 10))
    draw(session, "sofa")
    assert session.trouble == ""
    assert session.journal == second_journal_path(session.path), "the other place takes it"
    with pytest.raises(NotSaved, match="was not saved: it does not exist"):
        session.save()
    assert session.dirty
    (tmp_path / "gone").mkdir()
    draw(session, "bed")
    assert session.journal is not None
    recorded = read_journal(session.journal)
    assert len(recorded.steps) == 2, "what could not be written before comes first"
    session.save()
    assert not second_journal_path(session.path).exists()
    assert os.listdir(tmp_path / "gone") == ["plan.xml"]


def test_the_file_carries_the_colours_of_the_labels_it_uses(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    session.labels = LabelSet().with_label("bed").with_label("sofa", "#123456")
    draw(session, "sofa")
    session.save()
    assert [(label.name, label.colour) for label in page_xml.read(path).labels] == [
        ("sofa", "#123456")
    ]


def test_undoing_everything_gives_the_bytes_that_were_read(path: Path, page: Page) -> None:
    before = EditingSession.open(path, page)
    draw(before, "sofa")
    before.save()
    before.close()
    first = path.read_bytes().replace(b"<LastChange>20", b"<LastChange>19")
    path.write_bytes(first)
    session = EditingSession.open(path, page)
    session.labels = LabelSet().with_label("sofa", "#123456")
    draw(session, "bed")
    session.save()
    assert path.read_bytes() != first
    session.history.undo()
    session.save()
    assert path.read_bytes() == first
    session.history.redo()
    session.save()
    assert [region.label for region in page_xml.read(path).regions] == ["sofa", "bed"]
    session.close()


def test_a_file_that_a_step_had_begun_is_withdrawn(path: Path, page: Page) -> None:
    session = EditingSession.open(path, page)
    draw(session, "sofa")
    session.save()
    assert not session.withdraw() and path.exists()  # it holds a region
    session.history.undo()
    assert not session.withdraw()  # that is not saved
    session.save()
    assert session.withdraw() and not path.exists() and not session.dirty
    session.history.redo()
    session.save()
    assert found(path, page) == ["sofa"]
    session.history.undo()
    session.save()
    path.write_bytes(path.read_bytes() + b"<!-- somebody's -->")
    assert not session.withdraw() and path.exists()
    session.close()
