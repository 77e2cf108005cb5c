"""Another program writes the truth file while it is being saved: nothing of it is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from spotlab.editing import session as session_module
from spotlab.editing.journal import Journal
from spotlab.editing.session import ChangedOnDisk, EditingSession
from spotlab.formats.rows import files
from spotlab.formats.truth import page_xml
from spotlab.model import Page
from tests.editing.killed import draw

THEIRS = b"<!-- what another program wrote -->"


def before_call(
    patched: pytest.MonkeyPatch, owner: object, name: str, write: Callable[[], object]
) -> None:
    """Have something done, once, directly before a function is called."""
    function = getattr(owner, name)

    def call(*args: object, **more: object) -> object:
        patched.setattr(owner, name, function)
        write()
        return function(*args, **more)

    patched.setattr(owner, name, call)


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (page_xml, "serialise"),
        (Journal, "announce"),
        (files, "_create"),
        (files.os, "fsync"),
        (session_module, "is_in_state"),
    ],
)
@pytest.mark.parametrize("is_new", [False, True])
def test_what_another_program_writes_during_a_save_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: object, name: str, is_new: bool
) -> None:
    path = tmp_path / "plan.xml"
    session = EditingSession.open(path, Page(tmp_path / "plan.png", 100, 80))
    draw(session, "sofa")
    if not is_new:
        session.save()
        draw(session, "bed")
    with monkeypatch.context() as patched:
        before_call(patched, owner, name, lambda: path.write_bytes(THEIRS))
        with pytest.raises(ChangedOnDisk, match=r"changed by another program; not overwritten"):
            session.save()
    assert path.read_bytes() == THEIRS
    assert session.dirty
    session.close()
    path.unlink()
    if is_new:
        again = EditingSession.open(path, Page(tmp_path / "plan.png", 100, 80))
        assert [region.label for region in again.document] == ["sofa"]


def test_a_copy_takes_no_name_that_somebody_else_uses_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = EditingSession.open(tmp_path / "plan.xml", Page(tmp_path / "plan.png", 100, 80))
    draw(session, "sofa")
    theirs = tmp_path / "plan.copy.xml"
    with monkeypatch.context() as patched:
        before_call(patched, files, "_create", lambda: theirs.write_bytes(THEIRS))
        copy = session.save_copy_in(tmp_path)
    assert copy.name == "plan.copy-2.xml"
    assert [region.label for region in page_xml.read(copy).regions] == ["sofa"]
    assert theirs.read_bytes() == THEIRS
    session.discard()
    session.close()
