"""A file system that does not answer whether a file exists: nothing counts as new for that."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spotlab.editing.session import EditingSession
from spotlab.errors import BadInput, SpotlabError
from spotlab.files import exists, is_file, is_folder, is_missing
from spotlab.formats.collection.export import WRITING, Replacing
from spotlab.formats.truth import page_xml
from spotlab.model import Page, Truth
from tests.formats.kept_lines import KeptJudgements

CODES = (
    errno.EACCES, errno.EIO, errno.ESTALE, errno.ENOTCONN, errno.ENODEV, errno.ETIMEDOUT,
    errno.ELOOP, errno.ENAMETOOLONG,
)  # fmt: skip

Refuse = Callable[[Path, int], None]


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """Let the system refuse to say anything of a path."""
    refused: dict[str, int] = {}
    real = os.stat

    def stat(path: Any, *args: Any, **named: Any) -> os.stat_result:
        code = refused.get(os.fspath(path)) if not isinstance(path, int) else None
        if code is not None:
            raise OSError(code, os.strerror(code), path)
        return real(path, *args, **named)

    monkeypatch.setattr(os, "stat", stat)
    return lambda path, code: refused.update({str(path): code})


@pytest.mark.parametrize("code", CODES)
def test_no_answer_is_neither_yes_nor_new(tmp_path: Path, refuse: Refuse, code: int) -> None:
    path = tmp_path / "plan.xml"
    path.write_bytes(b"")
    refuse(path, code)
    assert not exists(path) and not is_file(path) and not is_folder(path)
    with pytest.raises(BadInput, match=r"plan\.xml"):
        is_missing(path)


def test_names_that_no_file_has_are_not_there() -> None:
    for name in ("zero\0byte", "n" * 999, "lone\ud800half", ""):
        assert not exists(Path(name) if name else Path("no such folder")), name
    with pytest.raises(BadInput):
        is_missing(Path("zero\0byte"))


@pytest.mark.parametrize("code", CODES)
def test_a_truth_file_that_cannot_be_looked_at_is_not_begun_anew(
    tmp_path: Path, refuse: Refuse, code: int
) -> None:
    page = Page(tmp_path / "plan.png", 100, 80)
    path = tmp_path / "plan.xml"
    page_xml.write(Truth(page), path)
    before = path.read_bytes()
    refuse(path, code)
    with pytest.raises(SpotlabError, match=r"plan\.xml"):
        EditingSession.open(path, page)
    assert path.read_bytes() == before


@pytest.mark.parametrize("code", CODES)
def test_judgements_that_cannot_be_looked_at_are_not_begun_anew(
    tmp_path: Path, refuse: Refuse, code: int
) -> None:
    path = tmp_path / "judgements.csv"
    path.write_text("query,page,left,top,right,bottom,relevant\nsofa,p1,1,2,3,4,1\n", "utf-8")
    before = path.read_bytes()
    refuse(path, code)
    with pytest.raises(SpotlabError, match=r"judgements\.csv"):
        KeptJudgements(path)
    assert path.read_bytes() == before


def test_what_was_kept_before_is_not_deleted(tmp_path: Path, refuse: Refuse) -> None:
    """Taking back deletes files of which nothing was kept, not those of which nobody knows."""
    file = tmp_path / "plan.xml"
    file.write_text("before")
    replacing = Replacing(tmp_path, [file])
    file.write_text("after")
    refuse(tmp_path / WRITING / "0.old", errno.EIO)
    replacing.take_back()
    assert file.exists()
    assert (tmp_path / WRITING / "0.old").read_text() == "before"
