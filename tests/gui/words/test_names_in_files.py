"""Somebody hands on what was found: files have the names of commands, not those for the eye."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.means.save_report import save_report, save_sheet
from spotlab.gui.words.panels.word_queries import save
from spotlab.gui.words.scores.scores import ScoresPanel
from spotlab.gui.words.state.words import Words
from spotlab.spotting.words.word_index import WordQuery
from tests.gui import windows
from tests.gui.words.searching import calm, open_letters

pytestmark = pytest.mark.in_sequence

LISTS = {"ws", "qe", "cr", "ml", "ml_cr"}
FOR_THE_EYE = ("· typed", "Word spotting", "Consensus ranking")


@pytest.fixture(scope="module")
def window(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication, cache: Path
) -> Iterator[MainWindow]:
    """A typed word that is searched."""
    with pytest.MonkeyPatch.context() as patch:
        window = open_letters(tmp_path_factory.mktemp("names"), patch, cache)
        words = window.workbench.state(Words)
        words.searching.search(WordQuery(text="ordered", typed=True))
        calm(words)
        assert words.ranking.lists
        yield window
        windows.close(window)


def test_lists_as_csv(window: MainWindow, tmp_path: Path) -> None:
    save(window.workbench, tmp_path / "lists.csv")
    windows.settle()
    rows = list(csv.DictReader((tmp_path / "lists.csv").open()))
    assert {row["query"] for row in rows} == {"ordered"}
    assert {row["list"] for row in rows} == LISTS


def test_what_the_threshold_leaves(window: MainWindow) -> None:
    window.docks.bring("scores")
    windows.settle()
    head, *rows = window.panel(ScoresPanel).table()
    assert {row[head.index("list")] for row in rows} == LISTS


@pytest.mark.slow
def test_sheet_and_report(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: True)
    save_sheet(window.workbench, tmp_path / "sheet.pdf")
    save_report(window.workbench, tmp_path / "report")
    assert background.wait_until((tmp_path / "report" / "report.html").exists, 120)
    windows.settle()
    sheet = text_of(tmp_path / "sheet.pdf")
    assert "ordered" in sheet and "· typed" not in sheet
    found = list((tmp_path / "report").rglob("*.csv"))
    for path in found:
        text = path.read_text()
        assert not any(sign in text for sign in FOR_THE_EYE), path
        for row in csv.DictReader(path.open()):
            assert row.get("list", "ws") in LISTS, path
    assert found and len(list((tmp_path / "report").glob("sheet-ordered*.pdf"))) == 1


def text_of(pdf: Path) -> str:
    with pypdfium2.PdfDocument(pdf) as document:
        return "\n".join(page.get_textpage().get_text_bounded() for page in document)
