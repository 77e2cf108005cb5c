"""Somebody looks at which systems err together, and what would become of the ranking without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from spotlab.consensus.votes import Votes
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.export import PlotDialog
from spotlab.gui.systems.agreement.agreement import (
    ALONE,
    NOTHING,
    ONE,
    AgreementPanel,
    describe_pair,
)
from spotlab.gui.systems.agreement.agreement_plot import Cell, dendrogram_lines
from spotlab.gui.systems.agreement.corrections import BACK, LOOK
from tests.gui import gestures, windows
from tests.gui.systems.voted import SYSTEMS, settled, showing, table, use


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[AgreementPanel]:
    with showing(tmp_path, AgreementPanel) as panel:
        yield panel


@pytest.fixture
def shown(panel: AgreementPanel) -> AgreementPanel:
    use(panel.workbench, table())
    return panel


def centre(panel: AgreementPanel, cell: Cell) -> tuple[float, float]:
    place = panel.plot.place_on_viewport((cell[1] + 1.0, cell[0] + 1.0))
    return place.x(), place.y()


def standing(panel: AgreementPanel, *names: str) -> Cell:
    one, other = (panel.plot.place_of(SYSTEMS.index(name)) for name in names)
    assert one is not None and other is not None
    return one, other


def test_without_votes_it_says_what_to_do(panel: AgreementPanel) -> None:
    assert panel.nothing.isVisible() and panel.nothing.text() == NOTHING
    use(panel.workbench, replace(table(), votes=Votes.of(np.ones((3, 1)), ["a"]),
                                 items=("1", "2", "3"), truth=None, factors={}))  # fmt: skip
    assert panel.nothing.isVisible() and panel.nothing.text() == ONE


def test_systems_of_an_engine_stand_together_and_are_marked(shown: AgreementPanel) -> None:
    assert shown.plot.agreement is not None
    order = [SYSTEMS[at] for at in shown.plot.agreement.order]
    engines = "".join(name[0] for name in order)
    assert engines in ("aaabbc", "aaacbb", "bbaaac", "bbcaaa", "caaabb", "cbbaaa")
    legend = shown.legend.text()
    assert "a1, a2, a3" in legend and "b1, b2" in legend
    assert shown.warning.isVisible() and "vote much alike" in shown.warning.text()
    assert "φ" not in shown.warning.text() and "φ" in shown.warning.toolTip()


def test_the_pointer_tells_both_names_and_figures(shown: AgreementPanel) -> None:
    cell = standing(shown, "a1", "b1")
    place = QPoint(*(round(each) for each in centre(shown, cell)))
    gestures.move(shown.plot.viewport(), (place.x(), place.y()))
    text = QToolTip.text()
    votes = table().votes.dense()
    phi = np.corrcoef(votes[:, 0], votes[:, 1])[0, 1]
    both, either = (votes[:, 0] * votes[:, 1]).sum(), np.maximum(votes[:, 0], votes[:, 1]).sum()
    assert "<b>a1</b>" in text and "<b>b1</b>" in text and "400 shared items" in text
    assert f"φ {phi:.3f}".replace("0.", ".") in text
    assert f"Jaccard {both / either:.3f}".replace("0.", ".") in text


def test_where_none_err_together_a_factor_is_asked_for(panel: AgreementPanel) -> None:
    rng = np.random.default_rng(1)
    columns = [rng.random(300) < 0.5 for _ in SYSTEMS]
    use(panel.workbench, replace(table(300), votes=Votes.of(np.column_stack(columns), SYSTEMS)))
    assert panel.legend.text() == ALONE and panel.no_groups.isVisible()
    panel.systems.set_group_by("engine")
    settled()
    assert panel.rankings.isVisible() and "a1, a2, a3" in panel.legend.text()


def test_undefined_agreement_is_a_dash(panel: AgreementPanel) -> None:
    votes = table(40).votes.dense().copy()
    votes[:, 5] = 0.0
    use(panel.workbench, replace(table(40), votes=Votes.of(votes, SYSTEMS)))
    agreed = panel.plot.agreement
    assert agreed is not None
    assert "φ –" in describe_pair(agreed, standing(panel, "c", "a1"))


def test_a_click_chooses_the_system_of_the_row(shown: AgreementPanel) -> None:
    gestures.click(shown.plot.viewport(), centre(shown, standing(shown, "b2", "a1")))
    assert shown.systems.system == SYSTEMS.index("b2")
    assert shown.rankings.currentItem().text(0) == "b2"


def test_arrows_move_from_row_to_row(shown: AgreementPanel) -> None:
    assert shown.plot.agreement is not None
    QTest.keyClick(shown.plot, Qt.Key.Key_Home)
    assert shown.systems.system == int(shown.plot.agreement.order[0])
    QTest.keyClick(shown.plot, Qt.Key.Key_Down)
    assert shown.systems.system == int(shown.plot.agreement.order[1])


def test_jaccard_is_shown_on_a_click(shown: AgreementPanel) -> None:
    before = shown.plot.values.copy()
    QTest.mouseClick(shown.chips["jaccard"], Qt.MouseButton.LeftButton)
    comparison = shown.systems.comparison
    assert comparison is not None
    order = comparison.agreement.order
    assert np.array_equal(shown.plot.values, comparison.agreement.jaccard[np.ix_(order, order)])
    assert not np.array_equal(shown.plot.values, before)


def test_systems_are_grouped_by_a_factor_with_keys(shown: AgreementPanel) -> None:
    shown.factor.setFocus()
    QTest.keyClick(shown.factor, Qt.Key.Key_Down)
    settled()
    assert shown.systems.group_by == "engine"
    heads = [shown.rankings.topLevelItem(at) for at in range(shown.rankings.topLevelItemCount())]
    texts = [head.text(0) for head in heads if head is not None]
    assert [text.split(",")[0] for text in texts] == ["a: 3 systems", "b: 2 systems", "c: 1 system"]
    assert heads[0] is not None and heads[0].childCount() == 3


def test_a_row_of_a_ranking_chooses_its_system(shown: AgreementPanel) -> None:
    head = shown.rankings.topLevelItem(0)
    assert head is not None
    row = shown.rankings.visualItemRect(head.child(1)).center()
    QTest.mouseClick(shown.rankings.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert shown.systems.system == SYSTEMS.index(head.child(1).text(0))


def test_corrections_are_offered_and_nothing_is_corrected(shown: AgreementPanel) -> None:
    assert shown.systems.chosen_method is None
    QTest.mouseClick(shown.tabs.tabBar(), Qt.MouseButton.LeftButton,
                     pos=shown.tabs.tabBar().tabRect(1).center())  # fmt: skip
    assert list(shown.corrections.buttons) == [
        "leave_group_out", "grouped_latent_class",
    ]  # fmt: skip
    button = shown.corrections.buttons["leave_group_out"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert shown.systems.method == "leave_group_out" and button.text() == BACK
    found = shown.systems.result("leave_group_out")
    assert found is not None
    best = SYSTEMS[int(np.nanargmax(found.figures.f))]
    assert f"1 {best}" in shown.corrections.rankings["leave_group_out"].text()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert shown.systems.chosen_method is None and button.text() == LOOK


def test_it_is_saved_as_a_picture_with_its_groups(shown: AgreementPanel, tmp_path: Path) -> None:
    shown.choose_measure("jaccard")
    shown.save_picture()
    [dialog] = shown.findChildren(PlotDialog)
    dialog.save(tmp_path / "agreement.svg")
    windows.settle()
    drawn = (tmp_path / "agreement.svg").read_text("utf-8")
    assert "Jaccard" in drawn and "group 1" in drawn and "group 2" in drawn
    assert all(system in drawn for system in SYSTEMS)


def test_it_follows_the_theme(shown: AgreementPanel) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app, "dark")
    settled()
    assert shown.plot.backgroundBrush().color().name() == theme.DARK.base


def test_a_dendrogram_meets_in_the_middle() -> None:
    tree = np.array([[0, 1, 0.2, 2], [2, 3, 0.4, 2], [4, 5, 1.0, 4]])
    place, height = dendrogram_lines(tree, np.array([3, 2, 0, 1]))
    assert place[10:14].tolist() == [1.5, 1.5, 3.5, 3.5]
    assert height[10:14].tolist() == [0.4, 1.0, 1.0, 0.2]
