"""What somebody draws, accepts, rejects or corrects is what the spotter knows next time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from spotlab.gui.annotate.similar import proposal_search
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.similar.proposals_bar import ProposalsBar
from spotlab.gui.window.main_window import MainWindow
from spotlab.spotting.symbols.proposals.lesson import LabelledExample
from tests.gui import gestures, labelled_pages, windows
from tests.gui.annotate.alike import LABEL, Spotter, calm, click_region, open_plans

CONTROL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


@pytest.fixture
def plans(
    tmp_path: Path, lasting: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> tuple[MainWindow, Spotter]:
    return open_plans(tmp_path, monkeypatch, ("plan_001", "plan_002"), window=lasting)


def find(window: MainWindow) -> None:
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    calm(window)


def known(spotter: Spotter, good: bool = True) -> list[LabelledExample]:
    """What was known of chairs when it was asked last."""
    examples = spotter.asked[-1][1].all
    return [each for each in examples if (each.label, each.is_positive) == (LABEL, good)]


def test_answers_are_known_to_the_next_search(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    find(window)
    proposals = window.workbench.state(Proposals)
    assert len(known(spotter)) == 1
    first, second = proposals.shown[:2]
    windows.press(window.canvas, Key.Key_Return)
    calm(window)
    [_, accepted] = known(spotter)
    assert np.abs(accepted.outline.mean(axis=0) - first.outline.mean(axis=0)).max() < 2
    assert accepted.query.features.ink.any() and accepted.page == "plan_001"
    windows.press(window.canvas, Key.Key_Delete)
    calm(window)
    [rejected] = known(spotter, good=False)
    np.testing.assert_allclose(rejected.outline, second.outline)
    # other labels of the page say what it is not
    assert {"bed", "wardrobe"} <= {each.label for each in spotter.asked[-1][1].all}


def test_scores_change_with_what_is_learned(plans: tuple[MainWindow, Spotter]) -> None:
    window, _ = plans
    find(window)
    proposals = window.workbench.state(Proposals)
    windows.press(window.canvas, Key.Key_Tab)
    current = proposals.current
    assert current is not None and current.score == pytest.approx(0.85)
    windows.press(window.canvas, Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    windows.press(window.canvas, Key.Key_Delete)
    assert proposals.current is current
    calm(window)
    again = proposals.current  # the same place, judged anew
    assert again is not None and again.score == pytest.approx(0.83)
    np.testing.assert_allclose(again.outline, current.outline)


def test_what_is_learned_on_one_page_counts_on_the_next(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, spotter = plans
    find(window)
    windows.press(window.canvas, Key.Key_Return)
    windows.press(window.canvas, Key.Key_Delete)
    calm(window)
    window.workbench.open_page(1)
    calm(window)
    assert spotter.asked[-1][0] == "plan_002"
    assert len(known(spotter)) == 2 and len(known(spotter, good=False)) == 1
    windows.press(window.canvas, Key.Key_Escape)
    window.workbench.editing.apply_label(LABEL)
    windows.press(window.canvas, Key.Key_P, CONTROL)  # the session is not over
    calm(window)
    assert len(known(spotter)) == 2 and len(known(spotter, good=False)) == 1


def test_a_chair_drawn_over_a_proposal_accepts_it(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    find(window)
    proposals, canvas = window.workbench.state(Proposals), window.canvas
    window.workbench.editing.label = LABEL
    proposal = proposals.shown[1]
    (left, top), (right, bottom) = proposal.outline.min(axis=0), proposal.outline.max(axis=0)
    stroke = gestures.around(left, top, right, bottom)
    canvas.view.zoom_to(2)
    canvas.centre_on((left + right) / 2, (top + bottom) / 2)
    gestures.drag(canvas, gestures.on_screen(canvas, stroke))
    assert proposal not in proposals.shown  # at once
    calm(window)
    assert proposals.answers.counts == (1, 0) and len(proposals.shown) == 3
    assert len(known(spotter)) == 2
    windows.press(canvas, Key.Key_Z, CONTROL)
    calm(window)
    assert proposals.answers.counts == (0, 0) and len(proposals.shown) == 4
    assert len(known(spotter)) == 1


def test_another_label_drawn_there_ends_the_proposal_without_accepting_it(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, spotter = plans
    find(window)
    proposals = window.workbench.state(Proposals)
    left, top = proposals.shown[0].outline.min(axis=0)
    window.workbench.editing.label = "stool"
    outline = proposals.shown[0].outline
    window.workbench.editing.add_region(outline, window.workbench.ink.primitive)
    calm(window)
    assert proposals.answers.counts == (0, 0) and len(proposals.shown) == 3
    assert len(known(spotter)) == 1
    assert "stool" in spotter.asked[-1][1].labels
    assert (left, top) not in {tuple(each.outline.min(axis=0)) for each in proposals.shown}


def test_a_corrected_region_teaches_what_it_is_now(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    find(window)
    region = click_region(window)
    before = known(spotter)[0].outline
    windows.press(window.canvas, Key.Key_Right)  # nudged, since it is selected
    calm(window)
    np.testing.assert_allclose(known(spotter)[0].outline, np.add(before, (1, 0)))
    assert window.workbench.selected[0].id == region.id


def test_a_renamed_label_is_what_is_proposed(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    find(window)
    labelled_pages.rename(window, LABEL, "seat")
    calm(window)
    name, lessons, labels = spotter.asked[-1]
    assert name == "plan_001" and labels == ("seat",)
    assert "seat" in lessons.labels
    bar = window.findChild(ProposalsBar)
    assert bar is not None and bar.title.text() == "seat"


def test_each_example_is_looked_at_once(
    plans: tuple[MainWindow, Spotter], monkeypatch: pytest.MonkeyPatch
) -> None:
    window, _ = plans
    features_of_model, seen = proposal_search.features_of_model, []

    def counted(model, *options):  # type: ignore[no-untyped-def]
        seen.append(model)
        return features_of_model(model, *options)

    monkeypatch.setattr(proposal_search, "features_of_model", counted)
    find(window)
    first = len(seen)
    assert first > 1
    windows.press(window.canvas, Key.Key_Return)
    calm(window)
    assert len(seen) == first + 1
    windows.press(window.canvas, Key.Key_Z, CONTROL)
    calm(window)
    assert len(seen) == first + 1
