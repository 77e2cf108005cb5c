"""Summaries of truth files that are kept between starts."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from spotlab.errors import Cancelled
from spotlab.formats.page import summary_store
from spotlab.formats.page.head import Summary, summary
from spotlab.formats.page.summary_store import SummaryStore
from spotlab.formats.truth import page_xml
from spotlab.model import Page, PageState, Region, Truth

RING = ((0, 0), (9, 0), (9, 9))


def write(path: Path, *labels: str, checked: bool = False) -> Path:
    page = Page(path.with_suffix(".png"), 40, 30, checked=checked)
    page_xml.write(Truth(page, tuple(Region(RING, label) for label in labels)), path)
    return path


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were looked through, one after the other."""
    seen: list[Path] = []
    really = summary_store.summary_of

    def note(content: bytes, path: Path) -> Summary:
        seen.append(path)
        return really(content, path)

    monkeypatch.setattr(summary_store, "summary_of", note)
    return seen


def nothing() -> None:
    """Go on."""


def test_a_file_is_looked_through_once_whatever_it_is_called(
    tmp_path: Path, looked: list[Path]
) -> None:
    one = write(tmp_path / "one.xml", "sofa", "sofa", "")
    two = write(tmp_path / "two.xml", checked=True)
    expected = [Summary(PageState.DRAFT, {"": 1, "sofa": 2}), Summary(PageState.CHECKED)]
    assert SummaryStore(tmp_path / "kept").summaries([one, two], nothing) == expected
    moved = one.rename(tmp_path / "moved.xml")
    assert SummaryStore(tmp_path / "kept").summaries([two, moved], nothing) == expected[::-1]
    assert looked == [one, two]


def test_another_content_of_the_same_size_and_time_is_seen(tmp_path: Path) -> None:
    path, store = write(tmp_path / "page.xml", "sofa"), SummaryStore(tmp_path / "kept")
    assert store.summaries([path], nothing) == [Summary(PageState.DRAFT, {"sofa": 1})]
    then = path.stat()
    path.write_bytes(path.read_bytes().replace(b"sofa", b"door"))
    os.utime(path, ns=(then.st_atime_ns, then.st_mtime_ns))
    assert path.stat().st_size == then.st_size
    assert store.summaries([path], nothing) == [Summary(PageState.DRAFT, {"door": 1})]


def test_what_cannot_be_read_is_told_as_ever_and_not_kept(
    tmp_path: Path, looked: list[Path]
) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_text("<PcGts>")
    paths, store = [bad, tmp_path / "missing.xml", tmp_path], SummaryStore(tmp_path / "kept")
    for _ in range(2):
        assert store.summaries(paths, nothing) == [summary(path) for path in paths]
    assert looked == [bad, bad]


@pytest.mark.parametrize("damage", [b"no store", None])
def test_a_store_that_is_damaged_or_refused_is_done_without(
    tmp_path: Path, damage: bytes | None
) -> None:
    path, store = write(tmp_path / "page.xml", "sofa"), SummaryStore(tmp_path / "kept")
    if damage is None:
        store.path.mkdir(parents=True)  # where the file would be
    else:
        store.path.parent.mkdir()
        store.path.write_bytes(damage * 100)
    for _ in range(2):
        assert store.summaries([path], nothing) == [Summary(PageState.DRAFT, {"sofa": 1})]
    if damage is not None:  # it was begun anew
        with sqlite3.connect(store.path) as kept:
            assert kept.execute("SELECT count(*) FROM summaries").fetchone() == (1,)


def test_a_value_that_makes_no_sense_is_found_out_again(tmp_path: Path) -> None:
    path, store = write(tmp_path / "page.xml", "sofa"), SummaryStore(tmp_path / "kept")
    expected = store.summaries([path], nothing)
    for said in ("[", '["other",{}]', '["draft",[]]', '["draft",{"a":"b"}]'):
        with sqlite3.connect(store.path) as kept:
            kept.execute("UPDATE summaries SET said = ?", (said,))
        kept.close()
        assert store.summaries([path], nothing) == expected


def test_what_was_read_before_giving_up_is_kept(tmp_path: Path, looked: list[Path]) -> None:
    paths = [write(tmp_path / f"{name}.xml", name) for name in ("sofa", "door")]

    def give_up_at_the_second() -> None:
        if looked:
            raise Cancelled

    store = SummaryStore(tmp_path / "kept")
    with pytest.raises(Cancelled):
        store.summaries(paths, give_up_at_the_second)
    store.summaries(paths, nothing)
    assert looked == paths
