"""Someone goes through a whole collection from one chair."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.similar.proposals_bar import ProposalsBar
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.annotate.alike import LABEL, PAGES, Spotter, calm, click_region, open_plans, wait

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
Key = Qt.Key


@pytest.fixture
def plans(
    tmp_path: Path, lasting: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> tuple[MainWindow, Spotter]:
    return open_plans(tmp_path, monkeypatch, window=lasting)


def page(window: MainWindow) -> str:
    entry = window.workbench.entry
    assert entry is not None
    return entry.name


def find_everywhere(window: MainWindow) -> None:
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL | SHIFT)
    calm(window)


def test_the_page_list_counts_what_is_proposed(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    find_everywhere(window)
    counts = [window.workbench.state(Proposals).pages.count(index) for index in range(3)]
    # of many, those with a score below the least one are not counted
    assert counts == [min(len(spotter.missing[name]) + 1, 9) for name in PAGES]
    assert [window.panel(PagesPanel).model.proposals(index) for index in range(3)] == counts
    windows.press(window.canvas, Key.Key_Escape)
    assert [window.panel(PagesPanel).model.proposals(index) for index in range(3)] == [0, 0, 0]


def test_the_next_page_opens_when_one_is_done(plans: tuple[MainWindow, Spotter]) -> None:
    window, _ = plans
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    find_everywhere(window)
    proposals = window.workbench.state(Proposals)
    visited = [page(window)]
    while proposals.shown:
        here = page(window)
        windows.press(window.canvas, Key.Key_Return, SHIFT)
        calm(window)
        if page(window) != here:
            visited.append(page(window))
    assert visited == list(PAGES)
    accepted = proposals.answers.counts[0]
    assert said[-1] == f"Proposing has ended: {accepted} accepted, 0 rejected"
    assert proposals.active and accepted > 10
    # the pages that were left are saved
    folder = window.workbench.collection.folder
    assert folder is not None
    assert (folder / "plan_001.xml").read_text("utf-8").count("chair") > 4


def test_a_page_that_somebody_opens_is_not_left(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    spotter.missing["plan_003"] = []
    find_everywhere(window)
    window.workbench.open_page(2)
    proposals = calm(window)
    assert page(window) == "plan_003" and not proposals.shown
    windows.press(window.canvas, Key.Key_Return)  # go on
    calm(window)
    assert page(window) == "plan_001" and proposals.shown


def test_nothing_moves_while_a_region_is_being_corrected(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, _ = plans
    find_everywhere(window)
    proposals = window.workbench.state(Proposals)
    proposals.list.set_minimum(0.88)
    assert len(proposals.shown) == 1
    windows.press(window.canvas, Key.Key_Return)
    region = [each for each in window.workbench.document or () if each.label == LABEL][-1]
    window.workbench.selection.set([region.id])
    calm(window)
    assert page(window) == "plan_001"
    windows.press(window.canvas, Key.Key_Escape)
    calm(window)
    assert page(window) == "plan_002"


def test_a_page_where_a_region_is_deleted_is_not_left(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, _ = plans
    workbench = window.workbench
    find_everywhere(window)
    proposals = workbench.state(Proposals)
    proposals.list.set_minimum(0.88)
    windows.press(window.canvas, Key.Key_Return)
    document = workbench.document
    assert document is not None
    other = next(each for each in document if each.label != LABEL)
    workbench.selection.set([other.id])
    calm(window)
    assert page(window) == "plan_001" and not proposals.shown
    count, heard = len(document), []
    workbench.document_changed.connect(lambda _: heard.append(page(window)))
    windows.press(window.canvas, Key.Key_Delete)
    calm(window)
    assert heard == ["plan_001"] and len(document) == count - 1
    assert page(window) == "plan_001"  # somebody works here
    windows.press(window.canvas, Key.Key_Return)  # go on
    calm(window)
    assert page(window) == "plan_002"


def test_the_bar_widens_the_search(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    calm(window)
    assert {name for name, _, _ in spotter.asked} == {"plan_001"}
    bar = window.findChild(ProposalsBar)
    assert bar is not None
    QTest.mouseClick(bar.reach[True], Qt.MouseButton.LeftButton)
    calm(window)
    assert {name for name, _, _ in spotter.asked} == set(PAGES)
    assert "on 3 pages" in bar.figures.whole()
    QTest.mouseClick(bar.reach[False], Qt.MouseButton.LeftButton)
    assert not window.workbench.state(Proposals).pages.everywhere


def test_on_one_page_the_next_one_is_searched_when_it_is_opened(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, _ = plans
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    calm(window)
    window.workbench.open_page(1)
    proposals = calm(window)
    assert page(window) == "plan_002" and len(proposals.shown) > 1
    assert proposals.pages.count(2) == 0


def test_everything_that_is_labelled_anywhere_is_proposed(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, spotter = plans
    windows.press(window.canvas, Key.Key_P, CONTROL | ALT)
    proposals = calm(window)
    name, lessons, labels = spotter.asked[0]
    assert (name, labels) == ("plan_001", None)
    # also labels that only other pages have
    assert {"bed", "chair", "sofa"} <= set(lessons.labels)
    assert {each.page for each in lessons.all} > {"plan_001"}
    bar = window.findChild(ProposalsBar)
    assert bar is not None and bar.title.text() == "Everything" and len(proposals.shown) == 4
    asked = len(spotter.asked)
    windows.press(window.canvas, Key.Key_Return)
    wait(lambda: len(spotter.asked) > asked)
    assert "sofa" in spotter.asked[-1][1].labels


def test_a_label_without_a_region_here_is_learned_from_other_pages(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, spotter = plans
    assert "sofa" not in {each.label for each in window.workbench.document or ()}
    window.workbench.editing.apply_label("sofa")
    windows.press(window.canvas, Key.Key_P, CONTROL)
    calm(window)
    good = [each for each in spotter.asked[0][1].all if each.label == "sofa"]
    assert good and all(each.page in ("plan_002", "plan_003") for each in good)
    window.workbench.editing.apply_label("unicorn")
    windows.press(window.canvas, Key.Key_Escape)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    assert not window.workbench.state(Proposals).active
