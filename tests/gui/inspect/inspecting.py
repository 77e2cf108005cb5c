"""Two small pages with truth and runs over them whose figures are known by hand, for tests.

Page 1 has a sofa of 60 × 50 px and a bed of 80 × 80 px, page 2 a sofa. The run "partly" finds the
first sofa exactly, then 20 × 20 px of nothing, then half of the second sofa; it misses the bed.
After its last spot the query sofa has area precision 4500/6400 and area recall 4500/6000.
The run "all" finds everything exactly.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget

from spotlab.formats.truth import page_xml
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Page, Region, Truth
from tests.gui import timers
from tests.gui.windows import settle, write_pages

Box = tuple[int, int, int, int]
SOFA, BED = (40, 40, 100, 90), (180, 120, 260, 200)
NOTHING, HALF = (5, 5, 25, 25), (70, 40, 130, 90)


def corners(box: Box) -> tuple[tuple[float, float], ...]:
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)


def line(query: str, page: str, rank: int, score: float | str, box: Box) -> str:
    points = " ".join(f"{x},{y}" for x, y in corners(box))
    return f'{query},{page},{rank},{score},"{points}"'


def write_collection(folder: Path) -> Path:
    """The pages and their truth."""
    write_pages(folder, 2)
    regions = {
        "page_1": (Region(corners(SOFA), "sofa", "r1"), Region(corners(BED), "bed", "r2")),
        "page_2": (Region(corners(SOFA), "sofa", "r1"),),  # ids are a page's own
    }
    for name, of_page in regions.items():
        truth = Truth(Page(folder / f"{name}.png", 320, 240), of_page)
        page_xml.write(truth, folder / f"{name}.xml")
    return folder


def write_run(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(["query,page,rank,score,points", *lines]) + "\n")
    return path


def write_runs(folder: Path) -> list[Path]:
    """The runs "partly" and "all"."""
    folder.mkdir(exist_ok=True)
    partly = (
        line("sofa", "page_1", 1, 0.9, SOFA),
        line("sofa", "page_1", 2, 0.8, NOTHING),
        line("sofa", "page_2", 3, 0.7, HALF),
    )
    everything = (
        line("sofa", "page_1", 1, 0.9, SOFA),
        line("sofa", "page_2", 2, 0.8, SOFA),
        line("bed", "page_1", 1, 0.7, BED),
    )
    return [
        write_run(folder / "partly.csv", *partly),
        write_run(folder / "all.csv", *everything),
    ]


def open_workbench(folder: Path) -> Workbench:
    """A workbench on the collection with both runs open, "partly" the current one."""
    workbench = Workbench(Settings(folder / "settings.json"))
    workbench.open_paths([write_collection(folder / "pages")])
    settle()
    workbench.state(Inspection).runs.open(write_runs(folder / "runs"))
    settle()
    return workbench


def show(widget: QWidget, width: int, height: int) -> None:
    widget.resize(width, height)
    widget.show()
    QTest.qWaitForWindowExposed(widget)
    calm()


def calm() -> None:
    """Let timers run out and what they start end."""
    settle()
    while timers.hurry():
        assert background.wait_until(lambda: not timers.hurry())
        settle()


def click(view: QAbstractItemView, row: int, column: int = 0, x: int | None = None) -> None:
    """Click a row, in its middle or this far from its left."""
    place = view.visualRect(view.model().index(row, column))
    point = place.center() if x is None else QPoint(place.left() + x, place.center().y())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    QApplication.processEvents()


def leave(workbench: Workbench, *widgets: QWidget) -> None:
    """Let go of all."""
    background.cancel_all()
    for widget in widgets:
        widget.close()
        widget.deleteLater()
    workbench.close()
