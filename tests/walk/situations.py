"""The five situations in which the window is walked through, and how each is reached again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageDraw
from PySide6.QtWidgets import QApplication

from spotlab.formats.truth import page_xml
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.state.words import Words
from spotlab.model import Page, Region, Truth
from spotlab.progress import Progress
from tests.gui.inspect.inspecting import BED, HALF, NOTHING, SOFA, corners, line, write_run
from tests.gui.systems.voted import table

SITUATIONS = ("nothing open", "no truth", "truth", "something selected", "at work")
LISTS = "query,page,x,y,width,height,score,relevant,text"


def write_collection(folder: Path) -> Path:
    """Three pages, the second without truth; runs beside them; ranked lists and votes."""
    folder.mkdir(parents=True)
    for number in (1, 2, 3):
        image = Image.new("L", (320, 240), 255)
        draw = ImageDraw.Draw(image)
        draw.rectangle((40, 40, 99, 89), outline=0, width=3)
        draw.ellipse((180, 120, 259, 199), outline=0, width=3)
        draw.line((10, 220, 300, 220), fill=0, width=2)
        image.save(folder / f"page_{number}.png")
    for number in (1, 3):
        page = Page(folder / f"page_{number}.png", 320, 240)
        regions = (Region(corners(SOFA), "sofa", "r1"), Region(corners(BED), "bed", "r2"))
        page_xml.write(Truth(page, regions), folder / f"page_{number}.xml")
    runs = folder / "runs"
    runs.mkdir()
    write_run(
        runs / "partly.csv",
        line("sofa", "page_1", 1, 0.9, SOFA),
        line("sofa", "page_1", 2, 0.8, NOTHING),
        line("sofa", "page_3", 3, 0.7, HALF),
        line("chair", "page_3", 1, 0.7, HALF),
    )
    write_run(
        runs / "all.csv",
        line("sofa", "page_1", 1, 0.9, SOFA),
        line("sofa", "page_3", 2, 0.8, SOFA),
        line("bed", "page_1", 1, 0.7, BED),
    )
    beside = folder.parent
    places = [(f"page_{1 + 2 * (rank % 2)}", 40 + 4 * rank, 50) for rank in range(12)]
    rows = [
        f"orders,{page},{x},{y},60,20,{0.9 - rank / 20:.2f},{int(rank % 3 != 1)},orders"
        for rank, (page, x, y) in enumerate(places)
    ]
    (beside / "words.csv").write_text("\n".join([LISTS, *rows]) + "\n")
    votes = table(60)
    truth = votes.truth if votes.truth is not None else ()
    lines = [f"item,{','.join(votes.votes.systems)},truth"]
    rows_of_votes = votes.votes.rows(range(len(votes.items)))
    for name, row, right in zip(votes.items, rows_of_votes, truth, strict=True):
        lines.append(f"{name},{','.join(str(int(value)) for value in row)},{int(right)}")
    (beside / "votes.csv").write_text("\n".join(lines) + "\n")
    return folder


def open_window(settings: Path, size: tuple[int, int]) -> MainWindow:
    """The window at this size, with nothing open."""
    window = MainWindow(Workbench(Settings(settings)))
    window.show()
    window.resize(*size)  # the whole screen, where it leaves room for a frame by itself
    QApplication.processEvents()
    return window


def settle() -> None:
    """Let what is under way end, if it does so soon."""
    background.wait_until(lambda: not _others(), 20)
    for _ in range(3):
        QApplication.processEvents()


class LongJob:
    """Work that is under way until somebody cancels it or lets it end."""

    def __init__(self) -> None:
        self._job: background.Job | None = None
        self._end = threading.Event()

    def start(self, window: MainWindow) -> None:
        """Be at work, if not already."""
        if self._job is None or self._job.finished or self._job.cancelled:
            self._end = threading.Event()
            self._job = background.run(
                self._work, self._end, progress=window.workbench.progressed.emit
            )
            window.status.watch(self._job)
            held.add(self._job)

    def stop(self) -> None:
        """Work no more."""
        self._end.set()
        if self._job is not None:
            self._job.cancel()
            background.wait_until(lambda: self._job is None or self._job.finished, 10)
            held.discard(self._job)

    @staticmethod
    def _work(end: threading.Event, progress: Progress) -> None:
        done = 0
        while not end.wait(0.02):
            done += 1
            progress(done % 100, 100, "Working")


held: set[background.Job] = set()  # jobs that are not waited for


def _others() -> set[background.Job]:
    return background._running - held


class Situation:
    """One of the situations in one workspace.

    Parameters
    ----------
    name : str
        One of `SITUATIONS`.
    folder : Path
        Of the collection.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.job = LongJob()
        self._selects: dict[str, Callable[[MainWindow], None]] = {
            "annotate": self._select_region,
            "inspect": self._choose_spot,
            "words": self._choose_word,
            "systems": self._choose_system,
        }

    def reach(self, window: MainWindow, workspace: str) -> None:
        """Bring the window into the situation, if it is in another one."""
        workbench = window.workbench
        if self.name == "nothing open":
            if workbench.entries:
                workbench.close()
        elif not workbench.entries or workbench.collection.folder != self.folder:
            window.open_paths([self.folder])
            settle()
        if workbench.workspace != workspace:
            window.enter(workspace)
            settle()
        if self.name == "nothing open":
            return
        page = 1 if self.name == "no truth" else 0
        if workbench.index != page or workbench.document is None:
            workbench.open_page(page)
            settle()
        if self.name == "something selected":
            self._selects.get(workspace, lambda _: None)(window)
        elif workspace == "annotate":
            workbench.selection.clear()
        if self.name == "at work":
            self.job.start(window)

    def _select_region(self, window: MainWindow) -> None:
        workbench = window.workbench
        document = workbench.document
        if document is not None and not workbench.selected:
            if not len(document):
                outline = corners(SOFA)
                workbench.editing.do("Draw", document.adding(Region(outline, "sofa")))
            workbench.selection.set([next(iter(document)).id])

    def _choose_spot(self, window: MainWindow) -> None:
        inspection = window.workbench.state(Inspection)
        if not inspection.runs:
            inspection.runs.open(sorted((self.folder / "runs").glob("*.csv")))
            settle()
        if inspection.runs.current is not None and inspection.spot is None:
            inspection.choose_spot(0)
            settle()

    def _choose_word(self, window: MainWindow) -> None:
        words = window.workbench.state(Words)
        if not words.queries.sources:
            words.imported.open([self.folder.parent / "words.csv"])
            settle()
        if words.ranking.lists and words.item is None:
            words.choose_item(int(words.ranking.lists[0].ranked.item[1]))
            settle()

    def _choose_system(self, window: MainWindow) -> None:
        systems = window.workbench.state(Systems)
        if systems.table is None:
            systems.open([self.folder.parent / "votes.csv"])
            settle()
        if systems.system is None and systems.table is not None:
            systems.choose_system(0)
