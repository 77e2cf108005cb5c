"""Somebody picks values in combo boxes; what follows gets the very value, not a text of it."""

from __future__ import annotations

import ast
from enum import StrEnum
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.formats.truth import page_xml
from spotlab.gui.kit.widgets import Choice, Option
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.panels.word_queries import INKS, WordQueriesPanel
from spotlab.imaging.ink import InkMethod, InkSettings
from spotlab.measures.measure import MeasureSettings
from spotlab.model import Primitive, Region
from spotlab.spotting.words.extraction.layout import WordInk
from spotlab.spotting.words.extraction.page_words import WordSettings
from tests.gui.choosing import pick
from tests.gui.gestures import Place, around, drag, on_screen, wheel
from tests.gui.windows import SQUARE, begin_anew, press, settle

GUI = Path(__file__).resolve().parents[3] / "spotlab" / "gui"
QT_ONLY = {"QComboBox", "currentData", "itemData", "findData"}


class Fruit(StrEnum):
    APPLE = "apple"
    PEAR = "pear"


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    image = Image.new("L", (320, 240), 200)
    ImageDraw.Draw(image).rectangle((40, 40, 99, 89), fill=0)
    (tmp_path / "pages").mkdir()
    image.save(tmp_path / "pages" / "page_1.png")
    return begin_anew(lasting, tmp_path / "pages")


def sketch(window: MainWindow) -> Region:
    """A stroke around the left symbol; what it made."""
    document = window.workbench.document
    assert document is not None
    before = {region.id for region in document}
    window.actions_by_id.trigger("tool.sketch")
    drag(window.canvas, on_screen(window.canvas, around(35, 35, 105, 95)))
    (new,) = [region for region in document if region.id not in before]
    return new


def colour(window: MainWindow, place: Place) -> str:
    """What the canvas shows there."""
    return window.canvas.grab().toImage().pixelColor(QPoint(*map(round, place))).name()


def test_every_combo_box_of_the_window_gives_back_values() -> None:
    used = {
        f"{file.relative_to(GUI)}:{node.lineno} {name}"
        for file in GUI.rglob("*.py")
        if file.name != "widgets.py"
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        for name in [getattr(node, "attr", getattr(node, "id", getattr(node, "name", "")))]
        if name in QT_ONLY
    }
    assert used == set()
    assert (GUI / "kit" / "widgets.py").is_file()


@pytest.mark.parametrize("by", ["mouse", "arrows", "letter", "wheel"])
def test_the_very_value_is_given_back(by: str, qapp: QApplication) -> None:
    choice = Choice([Option(fruit, fruit.capitalize()) for fruit in Fruit], "Fruit")
    seen: list[Fruit] = []
    choice.chosen.connect(seen.append)
    choice.show()
    choice.setFocus()
    if by == "mouse":
        pick(choice, Fruit.PEAR)
    elif by == "arrows":
        QTest.keyClick(choice, Qt.Key.Key_Down)
    elif by == "letter":
        QTest.keyClick(choice, Qt.Key.Key_P)
    else:
        wheel(choice, (10, 10), -1)
    qapp.processEvents()
    assert len(seen) == 1 and seen[0] is Fruit.PEAR and choice.value is Fruit.PEAR
    choice.close()


def test_what_is_chosen_stays_while_it_is_offered(qapp: QApplication) -> None:
    choice: Choice[str | None] = Choice()
    seen: list[object] = []
    choice.chosen.connect(seen.append)
    with pytest.raises(LookupError):
        choice.value  # noqa: B018
    choice.offer([Option(None, "none"), Option("a", "A"), Option("b", "B")])
    assert choice.value is None and choice.currentIndex() == 0
    choice.show_value("b")
    choice.offer([Option("c", "C"), Option("b", "B, again")])
    assert choice.value == "b" and choice.currentText() == "B, again"
    choice.offer([Option("c", "C")])
    assert choice.value == "c"
    choice.show_value("b")
    assert choice.currentIndex() == -1 and seen == []


@pytest.mark.parametrize(
    "primitive", [each for each in Primitive if each.has_area and each is not Primitive.POLYGON]
)
def test_each_outline_of_the_ink_panel_is_sketched_saved_and_read_again(
    primitive: Primitive, window: MainWindow, tmp_path: Path
) -> None:
    press(window.canvas, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert window.ink_box.isVisible()
    pick(window.ink_box.primitive, primitive)
    assert window.workbench.ink.primitive is primitive
    window.ink_box.hide()
    region = sketch(window)
    assert region.primitive is primitive
    assert window.workbench.autosave.finish()
    (read,) = page_xml.read(tmp_path / "pages" / "page_1.xml").regions
    assert read.primitive is primitive


@pytest.mark.parametrize("method", InkMethod)
def test_each_threshold_shows_its_ink_and_takes_strokes(
    method: InkMethod, window: MainWindow
) -> None:
    other = InkMethod.WOLF if method is InkMethod.OTSU else InkMethod.OTSU
    window.workbench.ink.set_settings(method=other)
    settle()
    window.actions_by_id.trigger("view.adjust")
    pick(window.ink_box.method, method)
    assert window.workbench.ink.settings.method is method
    window.ink_box.hide()
    paper, ink = (window.canvas.view.to_view(*place) for place in ((150, 150), (70, 65)))
    assert colour(window, paper) == "#c8c8c8"
    window.actions_by_id.trigger("view.ink_binarised")
    settle()
    assert (colour(window, paper), colour(window, ink)) == ("#ffffff", "#000000")
    left, top, right, bottom = sketch(window).bounds
    assert (
        abs(left - 40) < 6 and abs(right - 100) < 6 and abs(top - 40) < 6 and abs(bottom - 90) < 6
    )


@pytest.mark.parametrize("ink", WordInk)
def test_each_ink_of_the_word_search(ink: WordInk, window: MainWindow) -> None:
    window.enter("words")
    panel = window.panels["word_queries"]
    assert isinstance(panel, WordQueriesPanel)
    assert [option.value for option in INKS] == list(WordInk)
    pick(panel.ink, ink)
    assert panel.searching.settings.ink is ink


def test_the_model_refuses_a_text_in_the_place_of_an_enumeration() -> None:
    with pytest.raises(TypeError, match="not 'ellipse'"):
        Region(SQUARE, primitive="ellipse")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not 'sauvola'"):
        InkSettings(method="sauvola")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not 'otsu'"):
        WordSettings(ink="otsu")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not 'sum'"):
        MeasureSettings(overlap="sum")  # type: ignore[arg-type]
