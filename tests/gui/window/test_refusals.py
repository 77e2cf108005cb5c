"""What is refused stands in place until it is answered; what is said ends with the next act."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from spotlab.errors import BadInput
from spotlab.formats.votes.reading import read_votes
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background, theme
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.main_window import MainWindow
from tests.gui import timers, windows

VOTES = "item,system,vote\na,s1,1\na,s2,0\nb,s1,1\nb,s2,1\nc,s1,0\nc,s2,1\n"


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    return windows.begin_anew(lasting, windows.write_pages(tmp_path / "plans", 3))


def refused(window: MainWindow) -> str:
    return window.banner.text.text() if window.banner.kind == "refused" else ""


def wait(milliseconds: int = 20) -> None:
    for _ in range(milliseconds):
        QApplication.processEvents()
    timers.hurry()
    windows.settle()


def open_votes(window: MainWindow, path: Path) -> None:
    window.workbench.state(Systems).open([path])
    windows.settle()


def test_a_file_of_votes_that_is_none_stays_refused_until_one_is_opened(
    window: MainWindow, tmp_path: Path
) -> None:
    window.enter("systems")
    path = tmp_path / "votes.csv"
    path.write_text("name,colour\na,red\n")
    open_votes(window, path)
    text = refused(window)
    assert str(path) in text and "name,colour" in text and "expected one of" in text
    wait()
    assert refused(window) == text
    assert window.banner.text.wordWrap()  # all of it is there to read
    path.write_text(VOTES)
    open_votes(window, path)
    assert not refused(window)


def test_a_bad_line_is_named(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("# from a crowd\nitem,system,vote\na,s1,5\n")
    open_votes(window, path)
    assert "line 3" in refused(window) and "a number from 0 to 1" in refused(window)
    window.banner.close_button.click()
    assert not window.banner.isVisible()


@pytest.mark.parametrize("first", ["# made by hand, in May\n#\n", "\ufeff# bom\n\n# 2\n", "#x\n"])
def test_remarks_above_the_head_of_votes_are_passed_over(tmp_path: Path, first: str) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(first + VOTES, "utf-8")
    assert read_votes(path).systems == ("s1", "s2")
    path.write_text(first + "item,s1,s2,truth\na,1,0,1\n#engine,x,y\nb,1,1,0\n", "utf-8")
    assert len(read_votes(path)) == 2
    path.write_text(first + "#" + VOTES, "utf-8")  # may be the head, or not: that is not guessed
    with pytest.raises(BadInput):
        read_votes(path)


def test_a_run_that_cannot_be_read_offers_another(window: MainWindow, tmp_path: Path) -> None:
    window.enter("inspect")
    path = tmp_path / "run.csv"
    path.write_bytes(b"\x00\x01nothing")
    window.actions_by_id.trigger("run.open")  # its dialog is open now
    window.workbench.state(Inspection).runs.open([path])
    assert background.wait_until(lambda: bool(refused(window)), 30)
    assert str(path) in refused(window)
    [again] = [each for each in window.banner.findChildren(QPushButton) if each.isVisible()]
    assert again.text() == "Open Run…"
    for dialog in QApplication.topLevelWidgets():
        if dialog is not window:
            dialog.close()
    window.actions_by_id.trigger("run.open")
    assert not refused(window)


def test_a_trouble_comes_back_after_a_refusal(window: MainWindow) -> None:
    window.workbench.trouble.emit("unsaved", "page_1.xml cannot be written")
    window.workbench.said.emit("no such file", True)
    assert refused(window) == "no such file"
    window.banner.close_button.click()
    assert window.banner.isVisible() and window.banner.kind == "unsaved"
    window.workbench.trouble.emit("solved", "")
    assert not window.banner.isVisible()
    window.workbench.trouble.emit("unsaved", "page_1.xml cannot be written")
    window.workbench.said.emit("no such file", True)
    window.workbench.trouble.emit("solved", "")
    window.banner.close_button.click()
    assert not window.banner.isVisible()


def test_what_was_said_ends_with_the_next_step_and_the_next_page(window: MainWindow) -> None:
    hint = window.status.hint
    window.workbench.said.emit("Cut off larger ink", False)
    assert hint.whole() == "Cut off larger ink"
    wait(2)
    windows.add(window)
    assert hint.whole() != "Cut off larger ink"
    window.workbench.editing.undo()  # what a step itself says stays
    assert hint.whole().startswith("Undone")
    wait(2)
    windows.press(window.canvas, Qt.Key.Key_PageDown)
    windows.settle()
    assert not hint.whole().startswith("Undone")


def test_a_renamed_page_is_one_new_page_and_leaves_no_ghost(
    window: MainWindow, tmp_path: Path
) -> None:
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    folder = tmp_path / "plans"
    windows.add(window)
    windows.press(window.canvas, Qt.Key.Key_PageDown)  # the first one has a truth file now
    windows.settle()
    (folder / "page_3.png").rename(folder / "renamed.png")

    def titles() -> list[str]:
        window.workbench.folders.look()
        windows.settle()
        return [entry.name for entry in window.workbench.entries]

    assert background.wait_until(lambda: titles() == ["page_1", "page_2", "renamed"], 30)
    assert said[-1] == "1 new page: renamed"
    assert window.workbench.entry is not None and window.workbench.entry.name == "page_2"
    rows = window.panels["pages"].model
    shown = [rows.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(3)]
    assert [text.partition(",")[0] for text in shown] == ["page_1", "page_2", "renamed"]
    (folder / "page_2.png").unlink()  # the open one stays
    assert titles() == ["page_1", "page_2", "renamed"]


@pytest.mark.parametrize("colours", [theme.LIGHT, theme.DARK])
def test_texts_have_enough_contrast(colours: theme.Colours) -> None:
    for ground in (colours.window, colours.base):
        for text in (colours.text, colours.quiet, colours.serious):
            assert contrast(text, ground) >= 4.5, (text, ground)
    assert contrast(colours.on_accent, colours.accent) >= 4.5
    assert contrast(colours.text, colours.raised) >= 4.5


def contrast(one: str, other: str) -> float:
    """By WCAG 2: from 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4
              for each in shares]  # fmt: skip
    return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])


def test_no_progress_stays_when_what_is_opened_is_refused(
    window: MainWindow, tmp_path: Path
) -> None:
    """It is refused so soon that its progress arrives after its end."""
    path = tmp_path / "colours.csv"
    path.write_text("name,colour\na,red\n")
    window.open_paths([path])
    QTest.qWait(2 * background.QUICK)
    assert "not a page" in refused(window)
    assert not window.status.bar.isVisible() and not window.status.doing.isVisible()
