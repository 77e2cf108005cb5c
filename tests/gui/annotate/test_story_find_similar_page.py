"""Someone has drawn one chair and lets the spotter find the others of the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QColor, QTextDocument
from PySide6.QtWidgets import QApplication

from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.similar.proposals_bar import ProposalsBar
from spotlab.gui.kit import background, theme
from spotlab.gui.window.dialogs.help_viewer import HelpViewer
from spotlab.gui.window.main_window import MainWindow
from tests.gui import gestures, windows
from tests.gui.annotate.alike import LABEL, Spotter, calm, click_region, open_plans, place_of

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


@pytest.fixture
def plans(
    tmp_path: Path, lasting: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> tuple[MainWindow, Spotter]:
    return open_plans(tmp_path, monkeypatch, ("plan_001",), window=lasting)


def chairs(window: MainWindow) -> int:
    return sum(region.label == LABEL for region in window.workbench.document or ())


def bar(window: MainWindow) -> ProposalsBar:
    found = window.findChild(ProposalsBar)
    assert found is not None
    return found


def find(window: MainWindow) -> None:
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    calm(window)


def test_a_key_proposes_the_rest_and_enter_accepts(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    missing = spotter.missing["plan_001"]
    assert not bar(window).isVisible()
    find(window)
    proposals = window.workbench.state(Proposals)
    assert [each.score for each in proposals.shown] == pytest.approx([0.9, 0.85, 0.8, 0.75])
    assert proposals.current is proposals.shown[0]
    assert not window.workbench.selected  # or Delete would mean the chair that was drawn
    assert bar(window).isVisible() and bar(window).title.text() == LABEL
    assert chairs(window) == 1
    windows.press(window.canvas, Key.Key_Return)
    assert chairs(window) == 2
    assert window.workbench.history and window.workbench.history.undo_name == "Accept chair"
    calm(window)
    assert len(proposals.shown) == 3 and proposals.current is proposals.shown[0]
    drawn = [each for each in window.workbench.document or () if each.label == LABEL]
    assert drawn[-1].bounds == pytest.approx(missing[0].bounds, abs=1)
    figures = bar(window).figures.whole()
    assert "3 proposals · 1 accepted · 0 rejected" in figures
    here = len(window.workbench.document or ())
    work = f"{here} regions on this page: 1 proposed, {{}} kept · {{}} actions per region so far"
    assert work.format(1, "1.00") in figures
    # a proposal that is changed was proposed, but not kept
    window.workbench.selection.set([drawn[-1].id])
    windows.press(window.canvas, Key.Key_Right)
    window.workbench.selection.clear()
    calm(window)
    assert work.format(0, "2.00") in bar(window).figures.whole()


def test_delete_rejects_for_good(plans: tuple[MainWindow, Spotter]) -> None:
    window, _ = plans
    find(window)
    proposals = window.workbench.state(Proposals)
    windows.press(window.canvas, Key.Key_Delete)
    calm(window)
    assert len(proposals.shown) == 3 and chairs(window) == 1
    windows.press(window.canvas, Key.Key_Escape)
    assert not proposals.active and not proposals.shown
    find(window)
    assert len(proposals.shown) == 3


def test_tab_and_arrows_step_and_a_click_chooses(plans: tuple[MainWindow, Spotter]) -> None:
    window, _ = plans
    find(window)
    proposals = window.workbench.state(Proposals)
    _, second, third, last = proposals.shown
    windows.press(window.canvas, Key.Key_Tab)
    assert proposals.current is second and window.canvas.hasFocus()
    windows.press(window.canvas, Key.Key_Right)
    assert proposals.current is third
    windows.press(window.canvas, Key.Key_Backtab, SHIFT)
    windows.press(window.canvas, Key.Key_Up)
    windows.press(window.canvas, Key.Key_Left)
    assert proposals.current is last
    gestures.click(window.canvas, place_of(window, second))
    assert proposals.current is second
    windows.press(window.canvas, Key.Key_Return)
    assert proposals.current is third  # the one that comes after it


def test_a_double_click_accepts(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    find(window)
    second = window.workbench.state(Proposals).shown[1]
    gestures.double_click(window.canvas, place_of(window, second))
    calm(window)
    assert chairs(window) == 2
    drawn = [each for each in window.workbench.document or () if each.label == LABEL]
    assert drawn[-1].bounds == pytest.approx(spotter.missing["plan_001"][1].bounds, abs=1)


def test_shift_enter_accepts_all_that_the_least_score_shows(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, _ = plans
    find(window)
    proposals = window.workbench.state(Proposals)
    bar(window).minimum.setValue(78)
    assert len(proposals.shown) == 3 and bar(window).buttons["accept_all"].text() == "All 3"
    windows.press(window.canvas, Key.Key_Return, SHIFT)
    calm(window)
    assert chairs(window) == 4 and proposals.answers.counts == (3, 0)
    assert proposals.shown == ()
    bar(window).minimum.setValue(50)
    assert len(proposals.shown) == 1
    windows.press(window.canvas, Key.Key_Z, CONTROL)  # one step
    assert chairs(window) == 1


def test_what_was_accepted_is_corrected_at_once(plans: tuple[MainWindow, Spotter]) -> None:
    window, _ = plans
    find(window)
    proposals, canvas = window.workbench.state(Proposals), window.canvas
    windows.press(canvas, Key.Key_Return)
    calm(window)
    region = [each for each in window.workbench.document or () if each.label == LABEL][-1]
    left, top, right, bottom = region.bounds
    window.canvas.view.zoom_to(3)
    window.canvas.centre_on((left + right) / 2, (top + bottom) / 2)
    windows.press(canvas, Key.Key_F3)  # points are moved with Select
    gestures.click(canvas, place_of(window, region))
    assert window.workbench.selected == (region,)
    start = canvas.view.to_view(*region.points[0])
    gestures.drag(canvas, [start, (start[0] - 20, start[1] - 20), (start[0] - 30, start[1] - 30)])
    calm(window)
    moved = window.workbench.selected[0]
    assert moved.points != region.points and moved.id == region.id
    assert proposals.answers.counts == (1, 0)
    assert "selected region" in bar(window).figures.whole()
    gestures.move(canvas, (5, 5))  # away from the point, which Delete would mean
    windows.press(canvas, Key.Key_Delete)  # means the region, since it is selected
    calm(window)
    assert chairs(window) == 1 and len(proposals.shown) == 4
    assert proposals.answers.counts == (0, 0)


def test_escape_leaves_the_region_first_and_then_the_proposals(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, _ = plans
    find(window)
    click_region(window)
    windows.press(window.canvas, Key.Key_Escape)
    assert not window.workbench.selected and window.workbench.state(Proposals).active
    windows.press(window.canvas, Key.Key_Escape)
    assert not window.workbench.state(Proposals).active and not bar(window).isVisible()


def test_keys_mean_what_they_did_while_nothing_is_proposed(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, _ = plans
    click_region(window)
    windows.press(window.canvas, Key.Key_Return)
    assert window.part(LabelFinder).isVisible()
    window.part(LabelFinder).leave()
    windows.press(window.canvas, Key.Key_Delete)
    assert chairs(window) == 0
    windows.press(window.canvas, Key.Key_P, CONTROL)  # no label, nothing selected
    assert not window.workbench.state(Proposals).active


def test_buttons_and_menu_do_what_keys_do(plans: tuple[MainWindow, Spotter]) -> None:
    window, _ = plans
    click_region(window)
    assert window.actions_by_id.trigger("proposals.page")
    proposals = calm(window)
    bar(window).buttons["next"].click()
    assert proposals.current is proposals.shown[1]
    bar(window).buttons["accept"].click()
    calm(window)
    bar(window).buttons["reject"].click()
    calm(window)
    assert proposals.answers.counts == (1, 1) and chairs(window) == 2
    assert window.actions_by_id.trigger("proposals.accept")
    assert chairs(window) == 3
    bar(window).buttons["end"].click()
    assert not proposals.active and not window.actions_by_id.trigger("proposals.accept")


def test_a_chosen_label_is_enough(plans: tuple[MainWindow, Spotter]) -> None:
    window, _ = plans
    window.workbench.editing.apply_label(LABEL)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    proposals = calm(window)
    assert len(proposals.shown) == 4


@pytest.mark.slow
def test_the_real_spotter_finds_chairs(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, spotter = open_plans(tmp_path, monkeypatch, ("plan_001",), real=True)
    find(window)
    shown = window.workbench.state(Proposals).shown
    places = [each.array.mean(axis=0) for each in spotter.missing["plan_001"]]
    near = [
        any(abs(each.outline.mean(axis=0) - place).max() < 15 for place in places) for each in shown
    ]
    assert sum(near) >= 2
    windows.close(window)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_help_shows_it(plans: tuple[MainWindow, Spotter], colours: str) -> None:
    window, _ = plans
    window.show_help("annotate")
    viewer = window.findChild(HelpViewer)
    assert viewer is not None
    viewer.setPalette(theme.palette_of(theme.DARK if colours == "dark" else theme.LIGHT))
    window.show_help("annotate")
    assert f"pictures/similar-{colours}.png" in viewer.browser.toHtml()
    kind = QTextDocument.ResourceType.ImageResource.value
    picture = viewer.browser.loadResource(kind, QUrl(f"pictures/similar-{colours}.png"))
    assert picture.width() > 300
    viewer.close()


def test_the_pointer_says_what_is_proposed(plans: tuple[MainWindow, Spotter]) -> None:
    window, _ = plans
    find(window)
    proposal = window.workbench.state(Proposals).shown[1]
    gestures.move(window.canvas, place_of(window, proposal))
    assert "proposed: chair  0.85" in window.status.pointer.text()


def test_every_proposal_has_the_colour_of_its_label(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, _ = plans
    find(window)
    assert background.wait_for_all(30)  # tiles are drawn in threads
    windows.settle()
    proposals = window.workbench.state(Proposals)
    wanted = QColor(window.workbench.labels[LABEL].colour).hslHue()
    picture = window.canvas.grab().toImage()
    ratio = picture.devicePixelRatio()
    coloured = []
    for proposal in proposals.shown:
        assert proposal.label == LABEL
        if proposal is proposals.current:
            continue  # this one stands out
        places = [window.canvas.view.to_view(*point) for point in proposal.outline.tolist()]
        seen = {
            QColor(picture.pixel(round(x * ratio) + across, round(y * ratio) + down)).hslHue()
            for x, y in places
            for across in range(-3, 4)
            for down in range(-3, 4)
        }
        coloured.append(any(abs(hue - wanted) <= 3 for hue in seen))
    assert sum(coloured) >= 2  # the caption of the one that stands out may cover the third
