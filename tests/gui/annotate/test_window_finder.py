"""Somebody types a letter on the page and finds a label."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from spotlab.gui.annotate.label_finder import LabelFinder, meant, normal
from spotlab.gui.kit.text import best
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Label
from tests.gui.windows import add, begin_anew, press, write_pages


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    window = begin_anew(lasting, write_pages(tmp_path / "pages", 1))
    for name in ("sofa", "bed", "coffee table"):
        window.workbench.editing.apply_label(name)
    add(window, "")
    return window


NAMES = st.text("abB -1", min_size=1, max_size=8).map(normal).filter(bool)


def labels(window: MainWindow) -> list[Label]:
    return list(window.workbench.labels)


def label(window: MainWindow) -> str:
    return window.workbench.selected[0].label


def test_letters_open_it_and_enter_sets_the_label(window: MainWindow) -> None:
    press(window.canvas, Qt.Key.Key_C)
    assert window.part(LabelFinder).isVisible()
    assert window.part(LabelFinder).box.text() == "c"
    QTest.keyClicks(window.part(LabelFinder).box, "off")
    press(window.part(LabelFinder).box, Qt.Key.Key_Return)
    assert label(window) == "coffee table"
    assert not window.part(LabelFinder).isVisible()
    assert window.canvas.hasFocus()


def test_arrows_choose_and_escape_leaves_everything(window: MainWindow) -> None:
    window.part(LabelFinder).open("")
    press(window.part(LabelFinder).box, Qt.Key.Key_Down)
    press(window.part(LabelFinder).box, Qt.Key.Key_Return)
    assert label(window) == "bed"
    press(window.canvas, Qt.Key.Key_S)
    press(window.part(LabelFinder).box, Qt.Key.Key_Escape)
    assert label(window) == "bed"
    assert not window.part(LabelFinder).isVisible()


def test_a_new_name_makes_a_label(window: MainWindow) -> None:
    press(window.canvas, Qt.Key.Key_X)
    QTest.keyClicks(window.part(LabelFinder).box, "ylophone")
    press(window.part(LabelFinder).box, Qt.Key.Key_Return)
    assert label(window) == "xylophone"
    assert "xylophone" in window.workbench.labels


def test_a_name_that_is_there_is_not_offered_as_new(window: MainWindow) -> None:
    window.part(LabelFinder).open("sofa")
    assert texts(window) == ["sofa"]


def texts(window: MainWindow) -> list[str]:
    return [
        window.part(LabelFinder).list.item(row).text()
        for row in range(window.part(LabelFinder).list.count())
    ]


def type_label(window: MainWindow, text: str) -> None:
    """Type it on the page, first letter and all."""
    QTest.keyClicks(window.canvas, text[0])
    QTest.keyClicks(window.part(LabelFinder).box, text[1:])


@pytest.mark.parametrize(
    ("there", "typed"),
    [("armchair", "chair"), ("bed", "double bed"), ("sofa", "sofabed"), ("coffee table", "cofee")],
)
def test_enter_never_takes_a_label_that_only_resembles_what_was_typed(
    window: MainWindow, there: str, typed: str
) -> None:
    window.workbench.editing.apply_label(there)
    type_label(window, typed)
    assert (
        texts(window)[0] == f"New label “{typed}”"
        and window.part(LabelFinder).list.currentRow() == 0
    )
    assert f"Enter: new label “{typed}”" in window.part(LabelFinder).hint.text()
    press(window.part(LabelFinder).box, Qt.Key.Key_Return)
    assert label(window) == typed and {there, typed} <= {each.name for each in labels(window)}


def test_a_typo_is_listed_below_for_the_arrows(window: MainWindow) -> None:
    type_label(window, "cofee")
    assert texts(window) == ["New label “cofee”", "coffee table"]
    press(window.part(LabelFinder).box, Qt.Key.Key_Down)
    assert (
        "Enter: “coffee table” · Ctrl+Enter: new label “cofee”"
        in window.part(LabelFinder).hint.text()
    )
    press(window.part(LabelFinder).box, Qt.Key.Key_Return)
    assert label(window) == "coffee table" and "cofee" not in window.workbench.labels


@pytest.mark.parametrize("typed", ["SOFA", "so", "sofa"])
def test_enter_takes_the_same_name_or_its_beginning(window: MainWindow, typed: str) -> None:
    type_label(window, typed)
    assert texts(window)[0] == "sofa" and "Enter: “sofa”" in window.part(LabelFinder).hint.text()
    press(window.part(LabelFinder).box, Qt.Key.Key_Return)
    assert label(window) == "sofa" and len(labels(window)) == 3


@pytest.mark.parametrize("typed", ["ct", "tab", "coffee t"])
def test_enter_takes_initials_and_the_beginning_of_a_word(window: MainWindow, typed: str) -> None:
    type_label(window, typed)
    press(window.part(LabelFinder).box, Qt.Key.Key_Return)
    assert label(window) == "coffee table"


@pytest.mark.parametrize("typed", ["so", "be", "ct", "new one"])
def test_control_and_enter_make_a_new_label(window: MainWindow, typed: str) -> None:
    type_label(window, typed)
    assert f"new label “{typed}”" in window.part(LabelFinder).hint.text()
    press(window.part(LabelFinder).box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert label(window) == typed and len(labels(window)) == 4
    assert not window.part(LabelFinder).isVisible() and window.canvas.hasFocus()


def test_control_and_enter_take_no_row_that_the_arrows_chose(window: MainWindow) -> None:
    type_label(window, "so")
    press(window.part(LabelFinder).box, Qt.Key.Key_Down)
    press(window.part(LabelFinder).box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert label(window) == "so"


def test_a_click_takes_the_row_under_it(window: MainWindow) -> None:
    type_label(window, "cofee")
    place = (
        window.part(LabelFinder).list.visualItemRect(window.part(LabelFinder).list.item(1)).center()
    )
    QTest.mouseClick(window.part(LabelFinder).list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert label(window) == "coffee table"


@given(st.lists(NAMES, unique=True, max_size=12), NAMES | st.text(max_size=8))
def test_what_enter_takes_is_no_surprise(names: list[str], text: str) -> None:
    taken, typed = meant(text, names), normal(text)
    if typed in names:
        assert taken == typed
    if taken is None:
        assert not any(name.lower().startswith(typed.lower()) for name in names if typed)
        return
    assert taken in names and len(taken) >= len(typed)
    words = re.split(r"[\W_]+", taken.casefold())
    begins = re.search(rf"(?:^|[\W_]){re.escape(typed.casefold())}", taken.casefold())
    assert begins or typed.casefold() == "".join(word[:1] for word in words)


@given(NAMES, st.text("abB", min_size=1, max_size=4))
def test_a_name_with_letters_before_it_is_another_one(name: str, before: str) -> None:
    longer = f"{before}{name}"
    assert meant(longer, [name]) is None
    if name[0].isalnum() and not longer.lower().startswith(name.lower()):
        assert meant(name, [longer]) is None


@given(st.lists(st.text(max_size=12), unique=True, max_size=20), st.text(max_size=6))
def test_finding_gives_names_once_and_the_exact_one_first(names: list[str], text: str) -> None:
    found = best(text, names, 8)
    assert len(found) == len(set(found)) <= 8
    assert set(found) <= set(names)
    if text.strip() and text == " ".join(text.casefold().split()) and text in names:
        assert found[0].casefold() == text
