"""Summaries of truth files that are kept between starts."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import Cancelled
from spotlab.formats.page import head
from spotlab.formats.page.head import Summary, SummaryStore, summary
from spotlab.formats.store import read_arrays, write_arrays
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
    really = head.summary_of

    def note(content: bytes, path: Path) -> Summary:
        seen.append(path)
        return really(content, path)

    monkeypatch.setattr(head, "summary_of", note)
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
    expected = [summary(path) for path in paths]
    looked.clear()
    for _ in range(2):
        assert store.summaries(paths, nothing) == expected
    assert looked == [bad, bad]


def test_a_store_that_is_refused_is_done_without(tmp_path: Path, looked: list[Path]) -> None:
    path, kept = write(tmp_path / "page.xml", "sofa"), tmp_path / "kept"
    kept.write_text("where the folder would be")
    for _ in range(2):
        found = SummaryStore(kept).summaries([path], nothing)
        assert found == [Summary(PageState.DRAFT, {"sofa": 1})]
    assert looked == [path, path]


@pytest.mark.parametrize("damage", [b"", b"no entry", None])
def test_a_damaged_entry_is_made_anew(
    tmp_path: Path, looked: list[Path], damage: bytes | None
) -> None:
    path, kept = write(tmp_path / "page.xml", "sofa"), tmp_path / "kept"
    expected = SummaryStore(kept).summaries([path], nothing)
    [entry] = kept.glob("??/*.summaries")
    entry.write_bytes(entry.read_bytes()[:-1] if damage is None else damage)
    for _ in range(2):
        assert SummaryStore(kept).summaries([path], nothing) == expected
    assert looked == [path, path]


def test_a_value_that_makes_no_sense_is_found_out_again(tmp_path: Path) -> None:
    path, kept = write(tmp_path / "page.xml", "sofa"), tmp_path / "kept"
    expected = SummaryStore(kept).summaries([path], nothing)
    [entry] = kept.glob("??/*.summaries")
    magic = entry.read_bytes().partition(b"\n")[0] + b"\n"
    arrays = read_arrays(entry, magic)
    assert arrays is not None
    for said in ("[", "[7]", "[]", '["["]', '["[\\"draft\\",[]]"]', '["[\\"other\\",{}]"]'):
        write_arrays({**arrays, "said": np.frombuffer(said.encode(), np.uint8)}, entry, magic)
        assert SummaryStore(kept).summaries([path], nothing) == expected


def test_processes_share_what_they_find(tmp_path: Path, looked: list[Path]) -> None:
    """Neither writes over what the other one has kept meanwhile."""
    paths = [write(tmp_path / f"{name}.xml", name) for name in ("sofa", "door", "bed")]
    one, other = SummaryStore(tmp_path / "kept"), SummaryStore(tmp_path / "kept")
    one.summaries(paths[:1], nothing)
    other.summaries(paths[1:2], nothing)
    one.summaries(paths[2:], nothing)
    SummaryStore(tmp_path / "kept").summaries(paths, nothing)
    assert looked == paths


def test_many_entries_are_joined(
    tmp_path: Path, looked: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [write(tmp_path / f"{number}.xml", f"label {number}") for number in range(7)]
    kept = tmp_path / "kept"
    for path in paths:
        SummaryStore(kept).summaries([path], nothing)
    monkeypatch.setattr(head, "MANY", 5)
    for _ in range(2):
        found = SummaryStore(kept).summaries(paths, nothing)
        assert [list(each.labels) for each in found] == [[f"label {at}"] for at in range(7)]
    assert len(list(kept.glob("??/*.summaries"))) == 1
    assert looked == paths


def test_summaries_of_another_version_are_left(
    tmp_path: Path, looked: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = write(tmp_path / "page.xml", "sofa"), tmp_path / "kept"
    expected = SummaryStore(kept).summaries([path], nothing)
    monkeypatch.setattr(head, "_magic", lambda: b"spotlab summaries of tomorrow\n")
    assert SummaryStore(kept).summaries([path], nothing) == expected
    assert looked == [path, path]


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
