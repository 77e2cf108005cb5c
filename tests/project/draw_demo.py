"""Films the window while real events work in it: ``python -m tests.project.draw_demo``.

The pointer and the keys are painted over the frames, because a grabbed window has neither.
"""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background, theme
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.window.app import application
from spotlab.gui.window.headless import settle, stroke_around
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Region
from spotlab.resources import help_folder, sample_collection
from tests.gui import gestures

SIZE, SHOWN = (1360, 850), (960, 600)  # screen px of the window, px of the film
PER_SECOND, COLOURS = 10, 160
PAGE, LABEL = 2, "sofa"  # the third page has one
ZOOM = 2.6  # of the whole page
RUN = "e_alignment"
ARROW = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))
MOVED = (26.0, -22.0)  # screen px that a control point is dragged
LAST_RANK = 0.12  # of the slider's width

Place = tuple[float, float]


class Film:
    """The frames, and the pointer's way."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.frames: list[Image.Image] = []
        self.key = ""
        self.pointer: Place = (SIZE[0] * 0.5, SIZE[1] * 0.55)  # in the window
        self.font = ImageFont.load_default(26)

    def shoot(self, seconds: float = 1 / PER_SECOND) -> None:
        """The window as it is, for so long."""
        background.wait_until(lambda: False, 0.02)
        image = self.window.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
        pixels = np.asarray(image.constBits()).reshape(image.height(), image.bytesPerLine())
        size = image.width(), image.height()
        frame = Image.fromarray(pixels[:, : 3 * size[0]].reshape(size[1], size[0], 3)).copy()
        frame = frame.resize(SHOWN, Image.Resampling.LANCZOS)
        self._paint(ImageDraw.Draw(frame))
        self.frames += [frame] * max(1, round(seconds * PER_SECOND))

    def walk(self, widget: QWidget, target: Place, steps: int = 6) -> None:
        """Move the pointer to a place of a widget, no button held."""
        start, end = self.pointer, self._in_window(widget, target)
        for share in np.linspace(0, 1, steps + 1)[1:]:
            eased = (1 - math.cos(math.pi * float(share))) / 2
            self.pointer = tuple(a + (b - a) * eased for a, b in zip(start, end, strict=True))
            here = widget.mapFrom(self.window, QPointF(*self.pointer))
            gestures.move(widget, (here.x(), here.y()))
            self.shoot()

    def drag(self, widget: QWidget, places: Sequence[Place]) -> None:
        """Press, move through all places, let go."""
        gestures.press(widget, places[0])
        for place in places:
            gestures.move(widget, place, gestures.LEFT)
            self.pointer = self._in_window(widget, place)
            self.shoot()
        gestures.release(widget, places[-1])

    def press(self, key: Qt.Key, name: str, held: Qt.KeyboardModifier = gestures.PLAIN) -> None:
        """Press a key, whose name is shown."""
        self.key = name
        self.shoot(0.4)
        QTest.keyClick(self.window.canvas, key, held)
        settle(self.window)
        self.shoot(0.8)
        self.key = ""

    def save(self, path: Path) -> None:
        """One palette for all frames, so that only what changes is stored."""
        some = self.frames[:: max(1, len(self.frames) // 12)]
        sheet = Image.new("RGB", (SHOWN[0], SHOWN[1] * len(some)))
        for number, frame in enumerate(some):
            sheet.paste(frame, (0, SHOWN[1] * number))
        palette = sheet.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=2)
        few = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self.frames]
        few[0].save(path, save_all=True, append_images=few[1:], duration=1000 // PER_SECOND, loop=0)

    def _in_window(self, widget: QWidget, place: Place) -> Place:
        point = widget.mapTo(self.window, QPointF(*place))
        return point.x(), point.y()

    def _paint(self, draw: ImageDraw.ImageDraw) -> None:
        share = SHOWN[0] / SIZE[0]
        x, y = self.pointer[0] * share, self.pointer[1] * share
        draw.polygon([(x + dx, y + dy) for dx, dy in ARROW], fill="black", outline="white")
        if self.key:
            width, middle = draw.textlength(self.key, self.font) + 36, SHOWN[0] / 2
            box = (middle - width / 2, SHOWN[1] - 106, middle + width / 2, SHOWN[1] - 56)
            draw.rounded_rectangle(box, 9, fill="#1f2933", outline="white", width=2)
            draw.text((middle, SHOWN[1] - 81), self.key, "white", self.font, anchor="mm")


@contextmanager
def opened() -> Iterator[MainWindow]:
    """The window on a copy of the sample, at the page that is filmed."""
    app = application()
    theme.apply(app, "light")
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(sample_collection(), Path(folder) / "floorplans")
        window = MainWindow(Workbench(Settings(Path(folder) / "settings.json")))
        window.show()
        window.resize(*SIZE)
        window.open_paths([copy])
        for _ in range(PAGE):
            settle(window)
            window.actions_by_id.trigger("page.next")
        settle(window)
        yield window
        window.close()
        background.cancel_all()


def draw_region(film: Film) -> Region:
    """Take the sofa's truth away, draw it again, give it its label; the new region."""
    window, workbench, canvas = film.window, film.window.workbench, film.window.canvas
    document = workbench.document
    assert document is not None
    [chosen] = [region for region in document if region.label == LABEL]
    workbench.editing.do("Delete region", document.removing([chosen.id]))
    before = {region.id for region in document}
    workbench.set_tool("sketch")
    canvas.zoom_to(canvas.view.scale * canvas.view.ratio * ZOOM)
    canvas.view.centre_on(*np.mean(chosen.points, axis=0))
    settle(window)
    film.shoot(0.8)
    around = stroke_around(chosen)
    places = [canvas.view.to_view(x, y) for x, y in [*around, around[0]][::2]]
    film.walk(canvas, places[0], 8)
    film.drag(canvas, places)
    settle(window)
    film.shoot(0.8)
    digit = next(label.digit for label in workbench.labels if label.name == LABEL)
    film.press(Qt.Key(ord(digit)), f"{digit}   {LABEL}")
    [drawn] = [region for region in document if region.id not in before]
    return drawn


def correct(film: Film, region: Region) -> None:
    """Drag a control point of the region, and take that back."""
    canvas = film.window.canvas
    film.press(Qt.Key.Key_F3, "F3   select and edit")
    x, y = canvas.view.to_view(*max(region.points, key=lambda point: point[0] - point[1]))
    film.walk(canvas, (x, y))
    film.drag(canvas, [(x + MOVED[0] * t, y + MOVED[1] * t) for t in np.linspace(0, 1, 7)])
    settle(film.window)
    film.shoot(0.6)
    film.press(Qt.Key.Key_Z, "Ctrl + Z", gestures.CONTROL)


def inspect(film: Film) -> None:
    """Look at a run, and move the slider that cuts its lists."""
    window = film.window
    film.press(Qt.Key.Key_2, "Ctrl + 2   inspect", gestures.CONTROL)
    runs = window.workbench.state(Inspection).runs
    runs.choose([run.name for run in runs].index(RUN))
    window.canvas.fit()
    settle(window)
    film.shoot(1.2)
    curves = window.panels["curves"]
    [slider] = [each for each in curves.findChildren(QSlider) if each.accessibleName() == "Cut"]
    y = slider.height() / 2
    start, end = handle_of(slider).center().x(), slider.width() * LAST_RANK
    film.walk(slider, (start, y), 8)
    film.drag(slider, [(x, y) for x in np.linspace(start, end, 22)])
    settle(window)
    film.shoot(2.0)


def handle_of(slider: QSlider) -> QRect:
    """Where the slider's handle is, in screen px."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    parts = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    return slider.style().subControlRect(parts[0], option, parts[1], slider)


def main() -> None:
    """Write the film beside the pictures of the help."""
    target = help_folder() / "pictures" / "demo.gif"
    with opened() as window:
        film = Film(window)
        correct(film, draw_region(film))
        inspect(film)
    film.save(target)
    print(f"{target.name}: {len(film.frames)} frames, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
