"""Light and dark, the status line, panels, the view, and pictures without a display."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QPalette
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit import background, theme
from spotlab.gui.kit import theme as icons
from spotlab.gui.kit.settings import THEME, Settings
from spotlab.gui.window import app
from spotlab.gui.window.headless import render_pictures
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.workspace import tool_kinds
from spotlab.progress import Progress
from tests.gui import gestures, windows


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow, qapp: QApplication) -> MainWindow:
    theme.apply(qapp, "light")
    return windows.begin_anew(lasting, windows.write_pages(tmp_path / "plans"))


@pytest.fixture
def new_window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    """For a test that leaves more behind than can be put back."""
    theme.apply(qapp, "light")
    window = windows.open_window(tmp_path, windows.write_pages(tmp_path / "plans"))
    yield window
    windows.close(window)


def lightness(window: MainWindow) -> int:
    """Of the menu bar as it is painted."""
    image = window.grab().toImage()
    return QColor(image.pixel(window.width() - 5, 5)).lightness()


def ink(icon: QIcon) -> int:
    """The lightness of what is painted of an icon."""
    image = icon.pixmap(24, 24).toImage()
    inside = [image.pixelColor(x, y) for x in range(24) for y in range(24)]
    return max(inside, key=QColor.alpha).lightness()


def test_the_theme_changes_at_once_and_is_kept(new_window: MainWindow, tmp_path: Path) -> None:
    window = new_window
    assert lightness(window) > 200
    magnify, alert = icons.icon("magnify"), icons.icon("alert", "#E69F00")
    assert ink(magnify) < 80 < ink(alert)
    orange = ink(alert)
    window.set_theme("dark")
    QApplication.processEvents()
    assert lightness(window) < 80
    assert theme.is_dark(window.palette())
    assert ink(magnify) > 180  # the same icon, so that no button is given another one
    assert ink(alert) == orange
    assert window.workbench.settings.flush()
    assert Settings(tmp_path / "settings.json").get(THEME) == "dark"


@pytest.mark.parametrize("colours", [theme.LIGHT, theme.DARK])
def test_text_can_be_read_on_what_it_stands_on(colours: theme.Colours) -> None:
    palette = theme.palette_of(colours)
    for text, ground in (
        (QPalette.ColorRole.Text, QPalette.ColorRole.Base),
        (QPalette.ColorRole.WindowText, QPalette.ColorRole.Window),
        (QPalette.ColorRole.HighlightedText, QPalette.ColorRole.Highlight),
        (QPalette.ColorRole.PlaceholderText, QPalette.ColorRole.Base),
        (QPalette.ColorRole.PlaceholderText, QPalette.ColorRole.Window),
    ):
        assert contrast(palette.color(text), palette.color(ground)) >= 4.5


def contrast(one: QColor, other: QColor) -> float:
    """As WCAG 2 defines it."""

    def luminance(colour: QColor) -> float:
        parts = (colour.redF(), colour.greenF(), colour.blueF())
        linear = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_a_theme_that_is_none_counts_as_the_systems(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"theme": "purple"}')
    settings = Settings(tmp_path / "settings.json")
    assert settings.get(THEME) == "system"
    with pytest.raises(ValueError, match="purple"):
        theme.apply(app.application(), "purple")


def test_the_status_line_says_what_the_pointer_is_over(window: MainWindow) -> None:
    windows.add(window, "sofa")
    gestures.move(window.canvas, window.canvas.view.to_view(60.5, 60.5))
    assert "x 60  y 60" in window.status.pointer.text()
    assert "sofa" in window.status.pointer.text()


def test_the_status_line_says_what_the_tool_does(window: MainWindow) -> None:
    window.resize(1024, 700)
    QApplication.processEvents()
    for kind in tool_kinds("annotate"):
        assert window.actions_by_id.trigger(f"tool.{kind.name}")
        assert window.status.hint.text() == kind.hint  # all of it, on a small screen too
        title, *lines = window.actions_by_id[f"tool.{kind.name}"].toolTip().split("\n")
        assert title.startswith(kind.title.replace("&", "")) and lines == [kind.hint, kind.keys]
        assert window.actions_by_id[f"tool.{kind.name}"].isChecked()


def test_the_status_line_says_whether_all_is_saved(window: MainWindow) -> None:
    assert window.status.saved.text() == "all saved"
    windows.add(window)
    assert window.status.saved.text() != "all saved"
    assert window.actions_by_id.trigger("file.save")
    windows.settle()
    assert window.status.saved.text() == "all saved"


def test_progress_can_be_cancelled(window: MainWindow) -> None:
    def work(progress: Progress) -> None:
        for step in range(10_000):
            progress(step, 10_000, "counting")
            time.sleep(0.002)

    done: list[object] = []
    job = background.run(work, done=done.append, progress=window.workbench.progressed.emit)
    window.status.watch(job)
    assert background.wait_until(window.status.cancel.isVisible)
    assert window.status.doing.text() == "counting"
    window.status.cancel.click()
    assert background.wait_for_all()
    assert done == []
    assert not window.status.bar.isVisible()


def test_panels_hide_and_come_back(window: MainWindow) -> None:
    name = "history"
    if not window.docks.is_shown(name) or not window.docks.is_in_front(name):
        window.docks.toggle(name)
    shown = window.docks.is_shown(name)
    assert shown
    window.docks.toggle(name)
    assert window.docks.is_shown(name) is not shown
    window.docks.toggle(name)
    assert window.docks.is_shown(name) is shown


def test_the_view_turns_and_zooms_from_the_menu(window: MainWindow) -> None:
    view = window.canvas.view
    window.actions_by_id.trigger("view.rotate_right")
    assert view.angle == 90
    window.actions_by_id.trigger("view.upright")
    assert view.angle == 0
    window.actions_by_id.trigger("view.actual")
    assert view.scale * view.ratio == 1
    assert window.status.zoom.text() == "100%"
    before = view.scale
    windows.press(window.canvas, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert view.scale > before
    window.actions_by_id.trigger("view.fit")
    assert view.fitted


@pytest.mark.slow
def test_pictures_without_a_display(tmp_path: Path) -> None:
    pictures = list(filter(None, render_pictures(tmp_path, every=True)))
    assert sorted(picture.name for picture in pictures) == sorted(
        f"{state}-{name}{suffix}.png"
        for suffix in ("", "@2x")
        for state in STATES
        for name in ("light", "dark")
    )
    for picture in pictures:
        scale = 2 if "@2x" in picture.name else 1
        with Image.open(picture) as image:
            state = picture.name.partition("-")[0]
            if state in WHOLE:  # the others are parts of the window
                assert image.size == (1440 * scale, 900 * scale)
            corner = image.convert("L").getpixel((image.width - 6, 6))
            assert (corner < 80) == ("dark" in picture.name)
            colours = image.convert("RGB").getcolors(1 << 24) or ()
            ground = image.convert("RGB").getpixel((0, 0))
        shown = SEEN.get(state, lambda *colour, ground=ground: colour != ground)
        seen = sum(count for count, colour in colours if shown(*colour))
        assert seen > 300 * scale, picture.name


WHOLE = ("annotate", "inspect", "words", "systems", "annotators")
STATES = (
    "annotate", "similar", "findings", "inspect", "curves", "errors", "words", "scores", "systems",
    "agreement", "subjects", "annotators", "keys",
)  # fmt: skip
SEEN = {
    # the components under the stroke, the areas found, the frames of words that are right
    "annotate": lambda red, green, blue: blue > 150 and red < 60 and 100 < green < 190,
    "similar": lambda red, green, blue: (red, green, blue) == (124, 58, 237),  # the current one
    "inspect": lambda red, green, blue: green > 120 and red < 120 and 80 < blue < 160,
    "words": lambda red, green, blue: (red, green, blue) == (0, 158, 115),
    "systems": lambda red, green, blue: blue > 180 and red < 190 and 90 < green < 210,  # votes
}


def test_captions_can_be_hidden(new_window: MainWindow) -> None:
    window = new_window
    windows.add(window, "sofa")
    window.workbench.selection.clear()
    window.canvas.settle()
    before = window.canvas.grab().toImage()
    assert window.actions_by_id.trigger("view.captions")
    window.canvas.settle()
    assert window.canvas.grab().toImage() != before
    assert window.actions_by_id.trigger("view.captions")
    window.canvas.settle()
    assert window.canvas.grab().toImage() == before
