"""Somebody lets the embedded spotter make a run of the open pages and looks at it in Inspect."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from spotlab.gui.annotate.similar import proposal_search
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.similar.proposals_bar import ProposalsBar
from spotlab.gui.inspect.dialogs.spotter_dialogs import SpotSymbolsDialog
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.spotting import SymbolSpottingState
from spotlab.gui.kit.background import wait_until
from spotlab.gui.window.main_window import MainWindow
from tests.gui import gestures
from tests.gui.choosing import pick
from tests.gui.windows import add, close, open_window, settle, write_pages

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    opened = open_window(tmp_path, write_pages(tmp_path / "plans", 2))
    opened.workbench.state(SymbolSpottingState).cache = tmp_path / "cache"
    opened.workbench.state(SymbolSpottingState).jobs = 1
    yield opened
    close(opened)


def ask(window: MainWindow) -> SpotSymbolsDialog:
    window.actions_by_id["run.spot_symbols"].trigger()
    (dialog,) = window.findChildren(SpotSymbolsDialog)
    return dialog


def spot(dialog: SpotSymbolsDialog) -> None:
    QTest.mouseClick(dialog.spot, LEFT)
    settle()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_a_run_is_made_beside_the_pages_and_opened(window: MainWindow, tmp_path: Path) -> None:
    add(window, "box")  # the outer edge of the rectangle on the first of two equal pages
    dialog = ask(window)
    pick(dialog.method, "b")
    spot(dialog)
    (run,) = window.workbench.state(Inspection).runs
    assert run.name == "b" and (tmp_path / "plans" / "runs" / "b.csv").exists()
    best = [run.run.spot(index) for index in range(2)]
    assert {each.page for each in best} == {"page_1", "page_2"}
    for each in best:
        assert abs(each.points.min(0) - (40, 40)).max() < 4
        assert abs(each.points.max(0) - (100, 90)).max() < 4


def test_what_is_spotted_is_chosen(window: MainWindow) -> None:
    add(window, "box")
    add(window, "ball", 190, 130)
    dialog = ask(window)
    assert dialog.order.labels == ("ball", "box") and dialog.spot.isEnabled()
    assert dialog.order.method == "e"
    pick(dialog.method, "c")  # quicker
    place = dialog.labels.visualItemRect(dialog.labels.item(0))
    QTest.mouseClick(dialog.labels.viewport(), LEFT, pos=place.center())
    QTest.keyClick(dialog.labels, Qt.Key.Key_Space)
    assert dialog.order.labels == ("box",)
    dialog.name.setFocus()
    dialog.name.selectAll()
    QTest.keyClicks(dialog.name, "a/b")
    assert not dialog.spot.isEnabled()  # no name of a file
    dialog.name.selectAll()
    QTest.keyClicks(dialog.name, "boxes")
    spot(dialog)
    (run,) = window.workbench.state(Inspection).runs
    assert run.name == "boxes" and set(run.run.queries) == {"box"}


@pytest.mark.slow
def test_all_regions_of_the_open_page_are_models_together(
    window: MainWindow, tmp_path: Path
) -> None:
    add(window, "box")
    dialog = ask(window)
    pick(dialog.models, "page")
    assert not dialog.each.isEnabled()
    spot(dialog)
    (run,) = window.workbench.state(Inspection).runs
    best = [run.run.spot(index) for index in range(2)]
    assert {each.page for each in best} == {"page_1", "page_2"}
    for each in best:
        assert abs(each.points.min(0) - (40, 40)).max() < 4
        assert abs(each.points.max(0) - (100, 90)).max() < 4
    assert all(0.3 <= run.run.spot(index).score <= 1 for index in range(len(run.run)))
    written = (tmp_path / "plans" / "runs" / "e.csv").read_text()
    assert "lessons" in written and "page_1" in written


def test_a_page_without_the_labels_has_no_lessons(window: MainWindow) -> None:
    add(window, "box")
    window.workbench.open_page(1)
    settle()
    dialog = ask(window)
    pick(dialog.models, "page")
    assert not dialog.spot.isEnabled()
    pick(dialog.models, "typical")
    assert dialog.spot.isEnabled()


def test_an_earlier_run_is_not_written_over(window: MainWindow, tmp_path: Path) -> None:
    add(window, "box")
    first = ask(window)
    pick(first.method, "c")
    name = first.name.text()
    spot(first)
    second = ask(window)
    pick(second.method, "c")
    assert second.name.text() == f"{name}-2"
    runs = tmp_path / "plans" / "runs"
    before = (runs / f"{name}.csv").read_bytes()
    second.each.setValue(2)
    second.name.selectAll()
    QTest.keyClicks(second.name, name)  # nevertheless
    spot(second)
    assert sorted(each.name for each in runs.glob("*.csv")) == [f"{name}-2.csv", f"{name}.csv"]
    assert (runs / f"{name}.csv").read_bytes() == before


def test_pages_that_cannot_be_read_are_left_out_and_said(
    window: MainWindow, tmp_path: Path
) -> None:
    add(window, "box")
    page = tmp_path / "plans" / "page_2.png"
    page.write_bytes(page.read_bytes()[:200])
    dialog = ask(window)
    pick(dialog.method, "c")
    spot(dialog)
    (run,) = window.workbench.state(Inspection).runs
    assert {run.run.spot(number).page for number in range(len(run.run))} == {"page_1"}
    said = [label.text() for label in window.findChildren(QLabel)]
    assert any(text.startswith("Wrote runs/c.csv; left out page_2: ") for text in said)


def test_without_truth_there_is_nothing_to_crop(window: MainWindow) -> None:
    window.actions_by_id["run.spot_symbols"].trigger()
    assert not window.findChildren(SpotSymbolsDialog)
    assert any("Draw and label" in label.text() for label in window.findChildren(QLabel))


def test_a_search_can_be_given_up(window: MainWindow, tmp_path: Path) -> None:
    add(window, "box")
    dialog = ask(window)
    QTest.mouseClick(dialog.spot, LEFT)
    assert window.workbench.state(SymbolSpottingState).busy
    window.workbench.state(SymbolSpottingState).cancel()
    assert not window.workbench.state(SymbolSpottingState).busy
    settle()
    assert (
        not (tmp_path / "plans" / "runs").exists() and not window.workbench.state(Inspection).runs
    )


@pytest.mark.parametrize("label", ["", "drawn"])
def test_a_query_is_drawn_on_the_page(window: MainWindow, label: str) -> None:
    canvas, workbench = window.canvas, window.workbench
    workbench.editing.label = label  # none right after opening
    workbench.set_tool("draw_query")
    corners = [(41, 41), (98, 41), (98, 88), (41, 88), (41, 42)]
    gestures.drag(canvas, gestures.on_screen(canvas, corners))
    assert len(canvas.pointing.tool.strokes) == 1
    gestures.drag(canvas, gestures.on_screen(canvas, [(200, 50), (220, 60)]))
    gestures.key(canvas, Qt.Key.Key_Backspace)
    assert len(canvas.pointing.tool.strokes) == 1
    gestures.key(canvas, Qt.Key.Key_Return)
    settle()
    assert not canvas.pointing.tool.strokes
    (found, *_) = workbench.state(Proposals).shown
    assert found.label == label and "\0" not in found.why
    assert abs(found.outline.min(0) - (40, 40)).max() < 5
    assert abs(found.outline.max(0) - (100, 90)).max() < 5
    assert workbench.document is not None and not list(workbench.document)


def figures(window: MainWindow) -> str:
    bar = window.findChild(ProposalsBar)
    assert bar is not None
    return bar.figures.whole()


def test_more_of_a_region_without_a_label_are_found(window: MainWindow) -> None:
    canvas, workbench = window.canvas, window.workbench
    add(window, "")
    QTest.keyClick(canvas, Qt.Key.Key_P, gestures.CONTROL)
    settle()
    assert workbench.state(Proposals).active and not workbench.state(Proposals).pages.problem
    assert "Searching this page" not in figures(window)


def test_a_search_without_an_example_left_says_so(window: MainWindow) -> None:
    canvas, workbench = window.canvas, window.workbench
    add(window, "box")
    QTest.keyClick(canvas, Qt.Key.Key_P, gestures.CONTROL)
    settle()
    QTest.keyClick(canvas, Qt.Key.Key_Z, gestures.CONTROL)
    assert wait_until(lambda: "no example" in figures(window))
    assert not workbench.state(Proposals).pages.looking and not workbench.state(Proposals).shown


def test_a_search_that_fails_is_over_and_says_so(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(proposal_search, "propose", broken)
    add(window, "box")
    with qtbot.capture_exceptions() as faults:
        QTest.keyClick(window.canvas, Qt.Key.Key_P, gestures.CONTROL | gestures.SHIFT)
        settle()
    assert {kind for kind, _, _ in faults} == {ZeroDivisionError}  # reported, as any fault is
    proposals = window.workbench.state(Proposals)
    assert not proposals.pages.looking and not proposals.pages.busy
    assert "a fault" in figures(window) and "Looking" not in figures(window)


def test_a_method_that_learns_uses_all_labelled_pages(tmp_path: Path, qtbot: QtBot) -> None:
    plans = write_pages(tmp_path / "plans", 2)
    Image.new("L", (300, 220), 255).save(plans / "page_3.png")
    with Image.open(plans / "page_2.png") as image:  # else they are one page
        image.putpixel((5, 5), 0)
        image.save(plans / "page_2.png")
    window = open_window(tmp_path, plans)
    window.workbench.state(SymbolSpottingState).cache = tmp_path / "cache"
    window.workbench.state(SymbolSpottingState).jobs = 1
    add(window, "box")
    window.workbench.open_page(1)
    settle()
    add(window, "box")
    dialog = ask(window)
    pick(dialog.method, "f")
    assert dialog.models.values == ("all", "page") and dialog.order.lessons is None
    assert not dialog.each.isEnabled() and not dialog.needs.text()
    spot(dialog)
    (run,) = window.workbench.state(Inspection).runs
    assert run.name == "f" and not run.run.models
    assert "left out: each page" in (tmp_path / "plans" / "runs" / "f.csv").read_text()
    again = ask(window)
    pick(again.method, "f")
    pick(again.models, "page")
    assert again.order.lessons is window.workbench.entry
    pick(again.method, "b")
    assert again.models.values == ("typical", "page") and again.models.value == "page"
    pick(again.models, "typical")
    assert again.each.isEnabled()
    close(window)


def test_a_single_page_cannot_be_searched_with_its_own_regions(
    tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window(tmp_path, write_pages(tmp_path / "plans", 1))
    add(window, "box")
    dialog = ask(window)
    pick(dialog.method, "f")
    assert not dialog.spot.isEnabled() and "second page" in dialog.needs.text()
    pick(dialog.method, "e")
    assert dialog.spot.isEnabled() and dialog.needs.isHidden()
    close(window)
