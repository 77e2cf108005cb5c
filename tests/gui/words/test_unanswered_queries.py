"""A judged query that no open list answers counts 0 in means, and is seen there as not answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit import background
from spotlab.gui.words.means.save_report import save_report
from spotlab.gui.words.means.word_means import WordMeansPanel
from tests.gui.words.listed_words import showing

# nobody answers 4; 5 has no answer
QRELS = "1 0 b 1\n2 0 a 1\n2 0 z 0\n3 0 c 1\n4 0 d 1\n5 0 d 0\n"
ALL = "1 Q0 b 1 1 all\n2 Q0 z 1 1 all\n2 Q0 a 2 .5 all\n3 Q0 c 1 .9 all\n"
ONE = "1 Q0 b 1 1.0 one\n"


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[WordMeansPanel]:
    with showing(tmp_path_factory.mktemp("means"), WordMeansPanel, 480, 700) as panel:
        yield panel


def settled(panel: WordMeansPanel) -> None:
    for _ in range(3):
        assert background.wait_for_all(30)
        assert background.wait_until(lambda: not panel.outdated, 30)
        QApplication.processEvents()


def open_texts(panel: WordMeansPanel, folder: Path, **texts: str) -> None:
    panel.words.forget()
    for name, text in texts.items():
        path = folder / f"{name}.{'qrels' if name == 'judged' else 'trec'}"
        path.write_text(text)
        panel.words.imported.open([path])
        settled(panel)


def shown(panel: WordMeansPanel) -> dict[str, list[str]]:
    model = panel.queries.model
    return {
        str(model.headerData(row, Qt.Orientation.Vertical)): [
            str(model.index(row, column).data()) for column in range(model.columnCount())
        ]
        for row in range(model.rowCount())
    }


def test_it_is_a_row_that_is_counted_and_sorted(panel: WordMeansPanel, tmp_path: Path) -> None:
    open_texts(panel, tmp_path, one=ONE, all=ALL, judged=QRELS)
    assert shown(panel) == {
        "1": ["1", "1.000", "1.000"],
        "2": ["1", "not answered", ".500"],
        "3": ["1", "not answered", "1.000"],
        "4": ["1", "not answered", "not answered"],
    }
    assert panel.count.text() == "4 queries, 1 not answered"
    summary = panel.queries.summary
    assert [summary.index(0, column).data() for column in (1, 2)] == [".250", ".625"]
    header = panel.queries.head.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(2) + 5, 5)
    for names in (["1", "3", "2", "4"], ["4", "2", "1", "3"]):
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert list(shown(panel)) == names


def test_a_click_says_so_and_goes_nowhere(panel: WordMeansPanel, tmp_path: Path) -> None:
    open_texts(panel, tmp_path, one=ONE, all=ALL, judged=QRELS)
    said: list[str] = []
    panel.workbench.said.connect(lambda text, _: said.append(text))
    before = panel.words.queries.index
    model, table = panel.queries.model, panel.queries.body
    row = model.row_of(3)
    assert row is not None
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton,
                     pos=table.visualRect(model.index(row, 1)).center())  # fmt: skip
    assert panel.words.queries.index == before and said == ["No list that was opened answers 4"]
    assert panel.extremes.choices.numbers["worst"][0] == 3
    button = panel.extremes.choices.buttons["worst"][0]
    assert button.text() == "4 not answered"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settled(panel)
    assert panel.words.queries.index == before and len(said) == 2


def test_a_query_that_was_closed_is_not_taken_for_one(
    panel: WordMeansPanel, tmp_path: Path
) -> None:
    open_texts(panel, tmp_path, judged=QRELS, all=ALL)
    assert sorted(shown(panel)) == ["1", "2", "3", "4"]
    panel.words.close_source(1)
    settled(panel)
    assert sorted(shown(panel)) == ["1", "3", "4"]
    panel.words.forget()
    open_texts(panel, tmp_path, other="9 Q0 b 1 1.0 other\n")  # of which nobody has judged anything
    assert list(shown(panel)) == ["9"] and panel.count.text() == "1 query"


@pytest.mark.slow
def test_the_report_says_so(
    panel: WordMeansPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: True)
    open_texts(panel, tmp_path, all=ALL, judged=QRELS)
    save_report(panel.workbench, tmp_path / "report")
    settled(panel)
    text = (tmp_path / "report" / "report.html").read_text()
    assert "4: not answered" in text and ">not answered<" in text
    rows = (tmp_path / "report" / "queries.csv").read_text().splitlines()
    assert rows[4].startswith("4,1,0")
