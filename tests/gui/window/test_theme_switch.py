"""A live switch of the theme paints everything as a start in that theme would."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QSlider, QStyle, QStyleOptionSlider, QWidget

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import theme
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.headless import settle
from spotlab.gui.window.main_window import MainWindow
from spotlab.resources import VOTES, sample_collection
from tests.gui import windows
from tests.gui.inspect.inspecting import write_collection, write_runs
from tests.gui.window.test_window_look import contrast

pytestmark = pytest.mark.slow

PLACES = ("annotate", "inspect", "words", "systems", "banner", "ink box", "help", "keys")


def opened(folder: Path, settings: str) -> MainWindow:
    window = windows.open_window(folder / settings, folder / "pages", size=(1200, 800))
    window.workbench.state(Inspection).runs.open([folder / "runs" / "partly.csv"])
    window.workbench.state(Systems).open([sample_collection(VOTES) / "contest.csv"])
    windows.settle()
    return window


def pictures(window: MainWindow) -> dict[str, QImage]:
    """All that the window shows, by place."""
    found = {}
    for name in window.workspaces:
        window.enter(name)
        settle(window)
        window.canvas.setFocus()  # words may be typed at once, in a window that is active
        window.canvas.fit()
        found[name] = picture(window)
    window.enter("annotate")
    settle(window)
    window.canvas.fit()
    window.banner.show_error("the moon is full", "details")
    settle(window)
    found["banner"] = picture(window)
    window.banner.dismiss()
    window.actions_by_id.trigger("view.adjust")
    settle(window)
    found["ink box"] = picture(window)
    window.actions_by_id.trigger("view.adjust")
    window.show_help("annotate")
    assert window._help is not None
    found["help"] = picture(window._help)
    window._help.close()
    window.show_keys()
    assert window._keys is not None
    found["keys"] = picture(window._keys)
    window._keys.close()
    return found


def picture(widget: QWidget) -> QImage:
    QApplication.processEvents()
    return widget.grab().toImage()


@pytest.fixture(scope="module")
def shown(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication
) -> Iterator[dict[str, dict[str, QImage]]]:
    """Pictures by theme, of a start in it ("light") and after a switch to it ("to light")."""
    folder = tmp_path_factory.mktemp("themes")
    write_collection(folder / "pages")
    write_runs(folder / "runs")
    found = {}
    for first, other in (("light", "dark"), ("dark", "light")):
        theme.apply(qapp, first)
        window = opened(folder, f"settings-{first}")
        found[first] = pictures(window)
        window.set_theme(other)
        found[f"to {other}"] = pictures(window)
        windows.close(window)
    theme.apply(qapp, "light")
    yield found


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_switch_shows_what_a_start_shows(
    shown: dict[str, dict[str, QImage]], name: str, place: str
) -> None:
    started, switched = shown[name][place], shown[f"to {name}"][place]
    assert different(started, switched) == []


def different(one: QImage, other: QImage) -> list[tuple[int, int]]:
    """A few places where two pictures are not alike."""
    assert one.size() == other.size()
    if one == other:
        return []
    places = (
        (x, y)
        for y in range(one.height())
        for x in range(one.width())
        if one.pixel(x, y) != other.pixel(x, y)
    )
    return [place for place, _ in zip(places, range(5), strict=False)]


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_sliders_handle_is_clearly_seen(qapp: QApplication, name: str) -> None:
    theme.apply(qapp, name)
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setRange(0, 10)
    slider.setValue(5)
    slider.resize(200, 24)
    slider.show()
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    part = QStyle.SubControl
    handle, groove = (
        slider.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, which, slider)
        for which in (part.SC_SliderHandle, part.SC_SliderGroove)
    )
    image = picture(slider)
    inside = at(image, handle.center().x(), handle.center().y())
    beside = at(image, handle.left() // 2, groove.center().y())
    assert handle.width() >= 10
    assert contrast(inside, beside) >= 3
    for ground in (theme.colours(slider.palette()).window, theme.colours(slider.palette()).base):
        assert contrast(inside, QColor(ground)) >= 3
    slider.close()


def at(image: QImage, x: int, y: int) -> QColor:
    assert QRect(0, 0, image.width(), image.height()).contains(x, y)
    return image.pixelColor(x, y)
