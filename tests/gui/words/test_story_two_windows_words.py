"""Two windows search and judge words of one folder: each has what the other one said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from spotlab.errors import NotSaved
from spotlab.formats.lists.kept_lines import read_queries
from spotlab.formats.shared import shared_file
from spotlab.gui.kit import background, files
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.state.queries import KeptQueries
from spotlab.spotting.words.word_index import WordQuery
from tests.gui import windows


def box(number: int) -> WordQuery:
    return WordQuery("page_1", (30.0 * number, 10.0, 30.0 * number + 20, 30.0), f"word {number}")


def texts(queries: KeptQueries) -> set[str]:
    return {query.text for query in queries.listed}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return windows.write_pages(tmp_path / "letters", 1)


@pytest.fixture
def both(folder: Path, tmp_path: Path, qapp: QApplication) -> Iterator[list[KeptQueries]]:
    benches = [Workbench(Settings(tmp_path / f"{name}.json")) for name in ("one", "other")]
    for bench in benches:
        assert bench.open_paths([folder])
        windows.settle()
    yield [KeptQueries(bench) for bench in benches]
    for bench in benches:
        bench.close()


def test_queries_of_both_are_listed_in_both(both: list[KeptQueries], folder: Path) -> None:
    one, other = both
    for number in range(4):
        both[number % 2].keep(box(number))
    removed = one.known(box(0))
    assert removed is not None
    one.remove(removed)
    windows.settle()
    expected = {"word 1", "word 2", "word 3"}
    assert {query.text for query in read_queries(folder / "queries.csv").queries} == expected
    assert background.wait_until(lambda: texts(one) == texts(other) == expected, 60)


def test_a_query_that_could_not_be_written_is_written_later(
    both: list[KeptQueries], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "RETRY", 100)

    def refuse(path: Path, *_: object) -> None:
        raise NotSaved(f"{path} was not saved: the disk is full; the old file is untouched")

    with monkeypatch.context() as patch:
        patch.setattr(shared_file, "write_atomically", refuse)
        both[0].keep(box(1))
        windows.settle()
        assert not (folder / "queries.csv").exists() and texts(both[0]) == {"word 1"}
    written = folder / "queries.csv"
    assert background.wait_until(written.exists, 60)
    windows.settle()
    assert [query.text for query in read_queries(written).queries] == ["word 1"]
