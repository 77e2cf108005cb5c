"""Steps on a disk that takes its time: they are shown, written in order, and saved."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spotlab.editing.document import Edit
from spotlab.editing.journal import journal_path, read_journal
from spotlab.editing.session import EditingSession
from spotlab.formats.truth import page_xml
from spotlab.model import Page, Region


def opened(folder: Path) -> EditingSession:
    return EditingSession.open(folder / "plan.xml", Page(folder / "plan.png", 400, 300))


def draw(session: EditingSession, number: int) -> None:
    left = 5 * number
    corners = ((left, 10), (left + 4, 10), (left + 4, 20), (left, 20))
    region = Region(corners, f"label {number}")
    session.history.do(f"Draw {number}", [Edit((), (region,), (number,))])


@pytest.fixture
def hang(monkeypatch: pytest.MonkeyPatch) -> Callable[[], threading.Event]:
    """Let writing wait from now on until the event is set."""

    def begin() -> threading.Event:
        goes_on, real = threading.Event(), os.write

        def write(handle: int, content: Any) -> int:
            goes_on.wait(60)
            return real(handle, content)

        monkeypatch.setattr(os, "write", write)
        return goes_on

    return begin


def test_a_step_is_in_the_file_before_it_is_shown(tmp_path: Path) -> None:
    session = opened(tmp_path)
    for number in range(50):
        draw(session, number)
        assert read_journal(journal_path(session.path)).total == number + 1
    session.close()


def test_steps_do_not_wait_for_a_disk_that_hangs(
    tmp_path: Path, hang: Callable[[], threading.Event]
) -> None:
    session = opened(tmp_path)
    draw(session, 0)
    goes_on = hang()
    for number in range(1, 6):
        draw(session, number)  # returns, though nothing can be written
    assert len(session.document) == 6
    assert read_journal(journal_path(session.path)).total == 1
    goes_on.set()
    session.close()  # when all is written
    recovered = opened(tmp_path)
    assert [region.label for region in recovered.document] == [f"label {n}" for n in range(6)]
    recovered.discard()
    recovered.close()


def test_a_save_has_each_step_once_however_slow_the_disk_is(
    tmp_path: Path, hang: Callable[[], threading.Event]
) -> None:
    session = opened(tmp_path)
    draw(session, 0)
    goes_on = hang()
    draw(session, 1)
    save = session.begin_save()  # has both, though one is not in the journal yet
    draw(session, 2)
    goes_on.set()
    session.finish_save(save, save.write())
    assert session.dirty  # the third
    assert len(page_xml.read(session.path).regions) == 2
    session.close()
    recovered = opened(tmp_path)
    assert [region.label for region in recovered.document] == [f"label {n}" for n in range(3)]
    recovered.save()
    assert not journal_path(recovered.path).exists()
    recovered.close()
    assert len(page_xml.read(session.path).regions) == 3
