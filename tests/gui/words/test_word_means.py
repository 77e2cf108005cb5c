"""Means over the open queries in the window: by hand, paired, with sheets and a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit import background
from spotlab.gui.words.means.save_report import save_report, save_sheet
from spotlab.gui.words.means.word_means import WordMeansPanel
from spotlab.model import RankedList
from tests.gui.words.listed_words import FIRST, SECOND, TRUTH, showing, source


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[WordMeansPanel]:
    with showing(tmp_path_factory.mktemp("means"), WordMeansPanel, 480, 700) as panel:
        yield panel


def settled(panel: WordMeansPanel) -> None:
    assert background.wait_until(lambda: not panel.outdated, 30)
    assert background.wait_for_all(30)
    for _ in range(3):
        QApplication.processEvents()


def open_three(panel: WordMeansPanel) -> None:
    """Of the second query the lists are turned round, of the third nothing is known."""
    panel.words.forget()
    lists = (RankedList.ordered("first", np.array(SECOND)),
             RankedList.ordered("second", np.array(FIRST)))  # fmt: skip
    panel.words.add_sources(
        [
            source("orders"),
            replace(source("company"), given=lists),
            source("captain", truth=np.full(8, -1, np.int8), relevant=0),
        ]
    )
    settled(panel)


def precision(scores: tuple[float, ...], relevant: int = 4) -> float:
    order = [at for at in np.argsort(-np.array(scores), kind="stable") if not np.isnan(scores[at])]
    hits = np.cumsum([TRUTH[at] == 1 for at in order])
    found = [h / (at + 1) for at, h in enumerate(hits) if TRUTH[order[at]] == 1]
    return float(sum(found) / relevant)


def cell(panel: WordMeansPanel, name: str, column: int = 0) -> str:
    model = panel.lists.model
    row = model.row_of(name)
    assert row is not None
    return str(model.index(row, column).data())


def test_means_are_those_of_the_queries_for_which_they_are_defined(panel: WordMeansPanel) -> None:
    open_three(panel)
    first, second = precision(FIRST), precision(SECOND)
    assert first != second
    mean = f"{(first + second) / 2:.3f}".removeprefix("0")
    assert cell(panel, "first") == cell(panel, "second") == mean
    assert panel.queries.model.rowCount() == 3
    row = panel.queries.model.row_of(0)
    shown = [panel.queries.model.index(row, column).data() for column in range(3)]
    assert shown == ["4", *(f"{each:.3f}".removeprefix("0") for each in (first, second))]
    unknown = panel.queries.model.row_of(2)
    assert panel.queries.model.index(unknown, 1).data() == "–"
    assert panel.queries.summary.index(0, 1).data() == mean


def test_the_threshold_moves_p_r_and_f_and_not_map(panel: WordMeansPanel) -> None:
    open_three(panel)
    before = [cell(panel, "first", column) for column in range(4)]
    panel.words.set_threshold(0.05)
    settled(panel)
    after = [cell(panel, "first", column) for column in range(4)]
    assert after[0] == before[0] and after[1:] != before[1:]


def test_a_click_on_a_list_compares_the_others_with_it(panel: WordMeansPanel) -> None:
    open_three(panel)
    model, table = panel.lists.model, panel.lists.body
    row = model.row_of("second")
    place = table.visualRect(model.index(row, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settled(panel)
    assert panel.all.comparison.reference == "second" and panel.chips["differences"].isChecked()
    [first] = [each for each in panel.all.comparison.lists if each.name == "first"]
    difference = first.difference["average_precision"]
    assert difference is not None and difference.value == pytest.approx(0.0, abs=1e-12)
    assert difference.p == 1.0 and "p: mAP, over " in panel.note.text()


def test_increases_are_shares_of_the_means_of_the_marked_list(panel: WordMeansPanel) -> None:
    open_three(panel)
    panel.words.set_threshold(0.05)
    QTest.mouseClick(panel.chips["increase"], Qt.MouseButton.LeftButton)
    settled(panel)
    model, comparison = panel.lists.model, panel.all.comparison
    [marked] = [each for each in comparison.lists if each.name == comparison.reference]
    [other] = [each for each in comparison.lists if each is not marked]
    row, shown = model.row_of(other.name), 0
    for name, mean in other.mean.items():
        base, note = marked.mean[name], model.rows.notes.get((row, name))
        if note is not None and mean is not None and base:
            expected = 100 * (mean - base) / base
            assert float(note.text.replace("−", "-").removesuffix(" %")) == pytest.approx(
                expected, abs=0.051
            )
            shown += 1
    assert shown
    assert not [key for key in model.rows.notes if key[0] == model.row_of(marked.name)]


def test_a_judgement_changes_the_mean_and_a_click_opens_a_query(panel: WordMeansPanel) -> None:
    open_three(panel)
    panel.words.choose_source(2)
    before = panel.all.comparison.lists[0].defined["average_precision"]
    panel.words.judgements.judge(0, relevant=True)
    panel.words.judgements.judge(2, relevant=False)
    settled(panel)
    assert panel.all.comparison.lists[0].defined["average_precision"] == before + 1
    assert panel.extremes.choices.numbers["best"] == [2]  # its only right word comes first
    worst = panel.extremes.choices.numbers["worst"][0]
    panel.extremes.choices.buttons["worst"][0].click()
    settled(panel)
    assert panel.words.queries.index == worst != 2


@pytest.mark.slow
def test_sheet_and_report_are_written(
    panel: WordMeansPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: True)
    open_three(panel)
    said: list[str] = []
    panel.workbench.said.connect(lambda text, _: said.append(text))
    save_sheet(panel.workbench, tmp_path / "sheet.png")
    save_report(panel.workbench, tmp_path / "report")
    settled(panel)
    assert background.wait_for_all(60)
    settled(panel)
    with Image.open(tmp_path / "sheet.png") as image:
        assert image.width > 1000
    text = (tmp_path / "report" / "report.html").read_text()
    assert "Means over queries" in text and "captain" in text
    assert (tmp_path / "report" / "sheet-orders.pdf").exists()
    assert len(said) == 2 and all(each.startswith("Wrote ") for each in said)
