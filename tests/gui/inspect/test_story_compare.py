"""Two runs compared in the window: choosing, the page, the list, stepping, side by side, edits."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from spotlab.gui.inspect.compare.side_by_side import SideBySide
from spotlab.gui.inspect.panels.compare import ComparePanel
from spotlab.gui.inspect.state.comparison import ComparisonSide, ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.kit.table_view import FiguresView
from spotlab.gui.window.main_window import MainWindow
from spotlab.imaging.overlay import ComparedKind
from spotlab.report.tables import as_csv
from spotlab.studies.compare.comparison import ChangeKind
from spotlab.studies.evaluate.cuts import ListCut
from tests.gui import windows
from tests.gui.inspect.inspecting import calm, click, corners, write_collection, write_runs

BED = 80 * 80  # px², which only "all" finds, on page 1; "all" finds all of page 2's sofa
HALF_SOFA = 60 * 50 / 2
NOTHING = 20 * 20  # px², false in "partly"


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    """ "partly" is the current run, "all" the other one; the first page is open."""
    pages = write_collection(tmp_path / "pages")
    window = windows.begin_anew(lasting, pages, size=(1440, 900))
    windows.press(window.canvas, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    inspection = window.workbench.state(Inspection)
    inspection.runs.open(write_runs(tmp_path / "runs"))
    windows.settle()
    inspection.runs.choose(0)
    window.actions_by_id.trigger("run.compare")
    calm()
    return window


def state(window: MainWindow) -> ComparisonState:
    return window.workbench.state(ComparisonState)


def panel(window: MainWindow) -> ComparePanel:
    return window.panel(ComparePanel)


def told(window: MainWindow) -> list[tuple[str, str, str]]:
    return [(row.kind.words, row.label, row.page) for row in panel(window).model.shown]


def colour(window: MainWindow, x: float, y: float) -> tuple[int, int, int]:
    """The mean of a patch of a few hatching periods around a place of the page."""
    assert window.canvas.settle()
    image = window.canvas.grab().toImage()
    ratio = image.devicePixelRatio()
    left, top = (round(value * ratio) for value in window.canvas.view.to_view(x, y))
    patch = [image.pixelColor(left + dx, top + dy) for dx in range(-8, 8) for dy in range(-8, 8)]
    sums = (sum(getattr(each, name)() for each in patch) for name in ("red", "green", "blue"))
    red, green, blue = (total // len(patch) for total in sums)
    return red, green, blue


def test_the_changes_are_listed_biggest_first(window: MainWindow) -> None:
    assert state(window).on and panel(window).isVisible()
    assert told(window) == [
        ("symbol gained", "bed", "page_1"),
        ("symbol gained", "sofa", "page_2"),
        ("false spot gone", "sofa", "page_1"),
    ]
    row = panel(window).model.shown[1]
    assert (row.area, row.covered, row.spots) == ("1,500 px²", ".500 → 1.000", "3 → 2")
    assert row.iou == ".333 → 1.000"
    assert "ΔF" in panel(window).head.change.text()


def test_the_page_shows_what_only_b_found(window: MainWindow) -> None:
    window.canvas.fit()
    only_b, both = colour(window, 220, 160), colour(window, 70, 65)
    assert only_b[0] > only_b[1] + 15 < only_b[2]  # purple
    assert both[1] > both[0] + 30  # green
    sums = state(window).pages["page_1"].sums()
    assert sums[ComparedKind.SECOND] == BED and sums[ComparedKind.FALSE_FIRST] == NOTHING
    legend = window.canvas.layers["comparison"].legend
    assert legend.isVisible()
    texts = legend.texts()
    assert texts[ComparedKind.SECOND] == "only B · 6,400 px² · 68.1 %"
    assert texts[ComparedKind.FALSE_FIRST] == "only A false · 400 px² · 100.0 %"
    assert not window.canvas.layers["inspect"].legend.isVisible()
    height = legend.height()
    QTest.mouseClick(legend.fold, Qt.MouseButton.LeftButton)
    assert legend.isVisible() and legend.height() != height  # words alone, or the figures again


def test_n_and_p_step_through_changes(window: MainWindow) -> None:
    seen = []
    for key in (Qt.Key.Key_N, Qt.Key.Key_N, Qt.Key.Key_N, Qt.Key.Key_N, Qt.Key.Key_P):
        windows.press(window.canvas, key)
        calm()
        seen.append((state(window).chosen, window.workbench.entry.name))
    assert seen == [
        (0, "page_1"), (1, "page_2"), (2, "page_1"), (0, "page_1"), (2, "page_1"),
    ]  # fmt: skip
    assert window.workbench.state(Inspection).spot == 1  # the false one of "partly"


def test_a_click_goes_to_the_place_and_a_head_sorts(window: MainWindow) -> None:
    view = panel(window).changes
    click(view, 1)
    calm()
    assert window.workbench.entry.name == "page_2" and state(window).chosen == 1
    header = view.horizontalHeader()
    place = QPoint(header.sectionPosition(1) + 10, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [label for _, label, _ in told(window)] == ["bed", "sofa", "sofa"]
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [label for _, label, _ in told(window)] == ["sofa", "sofa", "bed"]
    place = QPoint(header.sectionPosition(0) + 10, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told(window)[0] == ("symbol gained", "bed", "page_1")


def test_kinds_and_queries_filter_the_changes(window: MainWindow) -> None:
    QTest.mouseClick(panel(window).kinds[ChangeKind.GAINED], Qt.MouseButton.LeftButton)
    assert told(window) == [("false spot gone", "sofa", "page_1")]
    QTest.mouseClick(panel(window).kinds[ChangeKind.GAINED], Qt.MouseButton.LeftButton)
    window.workbench.state(Inspection).choose_query("bed")
    calm()
    assert told(window) == [("symbol gained", "bed", "page_1")]


def test_b_flips_and_shift_b_shows_the_differences(window: MainWindow) -> None:
    comparison = state(window)
    window.canvas.fit()
    windows.press(window.canvas, Qt.Key.Key_B)
    assert comparison.side is ComparisonSide.FIRST
    missed = colour(window, 220, 160)  # the bed
    windows.press(window.canvas, Qt.Key.Key_B)
    assert comparison.side is ComparisonSide.SECOND
    found = colour(window, 220, 160)
    assert missed[2] > missed[0] + 30 and found[1] > found[0] + 30
    windows.press(window.canvas, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
    assert comparison.side is ComparisonSide.DIFFERENCES


def test_side_by_side_zooms_both(window: MainWindow) -> None:
    window.actions_by_id.trigger("run.compare_side_by_side")
    calm()
    left, right = window.canvas, window.part(SideBySide).canvas
    assert right is not None and right.isVisible()
    assert abs(left.width() - right.width()) <= 2
    for moved, other in ((left, right), (right, left)):
        moved.zoom_by(2)
        moved.centre_on(200, 150)
        assert other.view.scale == moved.view.scale
        assert other.view.centre == pytest.approx(moved.view.centre, abs=1)
    kinds = [canvas.layers["inspect"].legend.sums.get().sums for canvas in (left, right)]
    assert kinds[0].painted != kinds[1].painted  # each has its own run
    assert right.settle()
    window.actions_by_id.trigger("run.compare_side_by_side")
    calm()
    assert (
        window.part(SideBySide).canvas is None and state(window).side is ComparisonSide.DIFFERENCES
    )


def test_swapping_turns_gains_into_losses(window: MainWindow) -> None:
    panel(window).head.swap.click()
    calm()
    assert state(window).first.name == "all" and state(window).second.name == "partly"
    expected = [
        ("symbol lost", "bed", "page_1"),
        ("symbol lost", "sofa", "page_2"),
        ("new false spot", "sofa", "page_1"),
    ]
    assert background.wait_until(lambda: told(window) == expected, 60)


def test_a_cut_changes_the_comparison(window: MainWindow) -> None:
    window.workbench.state(Inspection).set_cut(ListCut("rank", 1))
    expected = [("symbol gained", "bed", "page_1")]
    assert background.wait_until(lambda: told(window) == expected)


def test_editing_the_truth_changes_the_comparison(window: MainWindow) -> None:
    document = window.workbench.document
    bed = next(region for region in document if region.label == "bed")
    smaller = replace(bed, points=corners((180, 120, 220, 160)))
    window.workbench.editing.replace_regions("Shrink", [smaller])
    calm()
    assert state(window).pages["page_1"].sums()[ComparedKind.SECOND] == 40 * 40
    shares = [row.covered for row in panel(window).model.shown if row.label == "bed"]
    assert shares == [".000 → 1.000"]


def test_closing_b_ends_the_comparison(window: MainWindow) -> None:
    window.actions_by_id.trigger("run.compare_side_by_side")
    calm()
    window.workbench.state(Inspection).runs.close(1)
    calm()
    assert not state(window).on and window.part(SideBySide).canvas is None
    assert window.canvas.layers["inspect"].shown and not window.canvas.layers["comparison"].shown
    windows.press(window.canvas, Qt.Key.Key_N)  # steps through errors again
    calm()
    assert window.workbench.state(Inspection).region or window.workbench.state(Inspection).spot


def rows_of(view: FiguresView) -> list[list[str]]:
    """The head and the rows of a table as other programs get them."""
    return list(csv.reader(io.StringIO(as_csv(view.model.table()))))


def test_pages_and_labels_have_their_tables(window: MainWindow) -> None:
    panel(window).by_page.click()
    calm()
    head, first, second = rows_of(panel(window).pages)
    assert first[0] == "page_1" and float(first[head.index("only_second")]) == BED
    assert float(second[head.index("only_second")]) == HALF_SOFA
    panel(window).by_label.click()
    calm()
    labels = {row[0]: row for row in rows_of(panel(window).labels)[1:]}
    assert labels["bed"][1 + 3] == ""  # ΔP: A retrieves no bed, so it is undefined
    assert float(labels["bed"][1 + 4]) == 1.0  # ΔR
    panel(window).by_change.click()
    calm()


def test_a_run_that_is_read_again_stays_compared(window: MainWindow) -> None:
    """B is written anew without the bed: the comparison follows the file."""
    source = state(window).second.run.source
    kept = [row for row in source.read_text().splitlines() if not row.startswith("bed")]
    source.write_text("\n".join(kept) + "\n")
    expected = [("symbol gained", "sofa", "page_2"), ("false spot gone", "sofa", "page_1")]
    assert background.wait_until(lambda: len(state(window).second.run) == 2, 60)
    assert background.wait_until(lambda: told(window) == expected, 60)
    assert state(window).on and state(window).second.name == "all"
