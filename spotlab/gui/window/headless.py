"""Draws pictures of the window where there is no display: for the README, the help and a look."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from spotlab.editing.operations import move
from spotlab.errors import SpotlabError
from spotlab.formats.truth import page_xml
from spotlab.gui.annotate.second.adjudication import Adjudication
from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background, theme
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.centre import SystemsCentre
from spotlab.gui.systems.state import Systems
from spotlab.gui.systems.subjects.subjects_state import Subjects
from spotlab.gui.systems.votes.dialog import CONTEST
from spotlab.gui.window.dialogs.preferences import KeysDialog
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.state.words import Words
from spotlab.gui.words.workspace import SAMPLE_WORD
from spotlab.interruption import check, letting_go
from spotlab.measures.matching import ErrorKind
from spotlab.model import Deed, Primitive, Region
from spotlab.processes import own_command, started
from spotlab.resources import LETTERS, VOTES, sample_collection
from spotlab.spotting.words.word_index import WordQuery

TREE = "category,parent\nscene,\nindoors,scene\nkitchen,indoors\nbath,indoors\ngarden,scene\n"
SUBJECTS = ("Anna", "Ben", "Cleo", "Dan", "Eva")
JUDGED = {  # what each of the subjects says of an item
    "oven": ("kitchen",) * 5,
    "sink": ("kitchen", "bath", "kitchen", "kitchen", "bath"),
    "mirror": ("bath", "bath", "indoors", "bath", "bath"),
    "tap": ("bath", "garden", "kitchen", "bath", "garden"),
    "table": ("kitchen", "garden", "indoors", "indoors", "garden"),
    "hedge": ("garden",) * 5,
    "tiles": ("bath", "kitchen", "bath", "bath", "kitchen"),
    "bench": ("garden", "garden", "indoors", "garden", "garden"),
}
ANSWERS = {
    "shape": ("oven", "sink", "table", "tap", "tiles", "mirror"),
    "colour": ("table", "hedge", "sink", "bench", "tap", "oven"),
}
QUERY = "kitchen"


def panel(window: MainWindow, name: str) -> QWidget:
    """A panel with its title, in front of those that share its place."""
    window.docks.bring(name)
    return window.docks.by_name[name]


def open_subjects(window: MainWindow, folder: Path) -> QWidget:
    """Judgements of five subjects who disagree, and the answers of two systems, in a panel."""
    rows = [
        f"{subject},{item},{category}"
        for item, said in JUDGED.items()
        for subject, category in zip(SUBJECTS, said, strict=True)
    ]
    answers = [
        f"{system},{QUERY},{rank},{item}"
        for system, items in ANSWERS.items()
        for rank, item in enumerate(items, 1)
    ]
    files = {
        "tree": TREE,
        "judgements": "\n".join(["subject,item,category", *rows]) + "\n",
        "answers": "\n".join(["system,query,rank,item", *answers]) + "\n",
    }
    for name, content in files.items():
        (folder / f"{name}.csv").write_text(content, "utf-8")
    window.workbench.state(Subjects).open([folder / f"{name}.csv" for name in files])
    background.wait_for_all()
    centre = window.above["systems"]
    assert isinstance(centre, SystemsCentre)
    centre.show_subjects()
    return centre


def validate(window: MainWindow) -> QWidget:
    """Findings about regions that are wrong in three ways: they are drawn for it, as one step."""
    workbench = window.workbench
    document = workbench.document
    if document is None:
        raise SpotlabError("the sample's first page could not be opened")
    first, width = next(iter(document)), document.page.width
    crossing = ((90, 90), (190, 190), (190, 90), (90, 190))
    outside = ((width - 40, 50), (width + 60, 50), (width + 60, 120), (width - 40, 120))
    faulty = [
        Region(first.points, first.label),
        Region(crossing, first.label, primitive=Primitive.POLYGON),
        Region(outside, ""),
    ]
    workbench.editing.do("Draw faulty regions", document.adding(*faulty))
    workbench.autosave.now()
    background.wait_for_all()
    window.actions_by_id.trigger("file.validate")
    background.wait_for_all()
    return panel(window, "findings")


def second_annotator(window: MainWindow, folder: Path) -> QWidget:
    """Somebody who has drawn the open page a little differently, and two decisions."""
    workbench = window.workbench
    window.enter("annotate")
    second, deciding = workbench.state(SecondAnnotator), workbench.state(Adjudication)
    document, entry = workbench.document, workbench.entry
    if document is None or entry is None:
        raise SpotlabError("the sample's first page could not be opened")
    drawn = [region for at, region in enumerate(document) if at % 9 != 3]
    theirs = [
        replace(region, label="cot") if "bed" in region.label
        else move(region, 6, 4, document.page) if at % 5 == 0
        else region
        for at, region in enumerate(drawn)
    ]  # fmt: skip
    (folder / "ben").mkdir()
    path = folder / "ben" / entry.truth_path.name
    page_xml.write(replace(document.truth, regions=tuple(theirs), source=b""), path)
    workbench.author.use("Cleo")
    second.open(path.parent)
    _wait_for(second)
    deciding.open(folder / "decided")
    for verdict in (Deed.KEPT, Deed.TAKEN):
        deciding.step(1)
        deciding.decide(verdict)
    _wait_for(second)
    panel(window, "second")
    return window


def _wait_for(second: SecondAnnotator) -> None:
    """Let comparing end, which begins a moment after it was asked for."""
    second.compare()
    background.wait_for_all()


SCALES = (1, 2)
WROTE = "wrote "  # begins the line of a picture that a process has made
THEMES = ("light", "dark")
SIZE = (1440, 900)  # screen px
STROKE_POINTS = 48
SHOWN_OF_STROKE = 0.86  # of the way around
ROOM = 0.12  # between the symbol and the stroke, as a share of its size
PAUSE = 0.6  # s
POLL = 0.1  # s between two questions whether the pictures are still wanted
ZOOM = 1.5  # of the whole page
SEARCHING = 600.0  # s, at most; on a machine that has much else to do
CHOSEN_RANK = 2
SIMILAR, SIMILAR_SIZE, SIMILAR_ZOOM = "chair", (1210, 560), 1.2  # is found; screen px
RUN = "e_alignment"  # is inspected
LABEL = "double bed"  # what is sketched, if the page has one


def render_pictures(out: Path, every: bool = False) -> Iterator[Path | None]:
    """Draw pictures of the window: a sketch under way, a run inspected, a word found, systems.

    The page is one of a copy of the sample collection; nothing of the user's is read or changed.

    Parameters
    ----------
    out : Path
        A folder that is there.
    every : bool
        Whether to draw also the panels that the help shows, all of them light and dark, at scale 1
        and 2. Every scale is drawn by a process of its own, because Qt settles it when it starts.

    Returns
    -------
    iterator of Path or None
        Each picture when it has been written; None each second without one.

    Raises
    ------
    SpotlabError
        The pictures could not be drawn or written; the line says why.
    """
    made: SimpleQueue[Path | Exception | None] = SimpleQueue()
    scales = SCALES if every else SCALES[:1]
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(letting_go(partial(shutil.rmtree, folder, ignore_errors=True)))
        for scale in scales:
            process = stack.enter_context(_started(out, Path(folder), scale, every))
            Thread(target=_hand_on, args=(process, made), daemon=True).start()
        for _ in scales:
            yield from _of_one(made)


def _of_one(made: SimpleQueue[Path | Exception | None]) -> Iterator[Path | None]:
    """Files that are made until one of the processes ends."""
    asked = 0
    while True:
        check()
        try:
            picture = made.get(timeout=POLL)
        except Empty:
            asked += 1
            if asked % round(1 / POLL) == 0:
                yield None
            continue
        if isinstance(picture, Exception):
            raise picture
        if picture is None:
            return
        yield picture


def _started(
    out: Path, folder: Path, scale: int, every: bool
) -> AbstractContextManager[subprocess.Popen[str]]:
    surroundings = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": str(scale),
        "QT_LOGGING_RULES": "qt.qpa.*=false",
    }
    own = folder / str(scale)
    own.mkdir()
    command = own_command("spotlab.gui.window.headless", str(out), str(scale), str(own))
    command += ["every"] if every else []
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return started(command, env=surroundings, text=True, **pipes)


def _hand_on(process: subprocess.Popen[str], made: SimpleQueue[Path | Exception | None]) -> None:
    """Hand on the pictures that a process names, then None, or what went wrong."""
    last = "no reason given"
    assert process.stdout is not None
    with suppress(ValueError, OSError):  # it is not wanted any more
        for line in process.stdout:
            if line.startswith(WROTE):
                made.put(Path(line.removeprefix(WROTE).rstrip("\n")))
            elif line.strip():
                last = line.strip()
        process.wait()
    made.put(
        SpotlabError(f"the pictures could not be drawn: {last}") if process.returncode else None
    )


def draw(out: Path, scale: int, folder: Path, every: bool) -> Iterator[Path]:
    """Draw the pictures of this scale; called in a process that Qt runs at this scale.

    The folder is for copies of what is drawn. See `render_pictures`.
    """
    shown = THEMES if every else THEMES[:1]
    app = QApplication(sys.argv[:1])
    copy = shutil.copytree(sample_collection(), folder / "floorplans")
    workbench = Workbench(Settings(folder / "settings.json"))
    theme.apply(app, THEMES[0])
    window = MainWindow(workbench)
    window.show()
    window.resize(*SIZE)  # however small the screen is that nobody sees
    window.open_paths([copy])
    settle(window)
    grab = partial(_grab, app, window, out, scale, shown)
    sketch(window)
    yield from grab("annotate")
    window.canvas.cancel()
    window.workbench.editing.undo()
    if every:
        propose(window, folder)
        yield from grab("similar", window.centralWidget())
        window.workbench.state(Proposals).pages.end()
        window.workbench.editing.undo()  # the symbols that were taken away
        window.resize(*SIZE)
        yield from grab("findings", validate(window))
        window.workbench.editing.undo()
    inspect(window)
    yield from grab("inspect")
    if every:
        yield from grab("curves", panel(window, "curves"))
        yield from grab("errors", panel(window, "errors"))
    search(window, folder)
    yield from grab("words")
    if every:
        yield from grab("scores", panel(window, "scores"))
    compare(window)
    yield from grab("systems")
    if every:
        yield from grab("agreement", panel(window, "agreement"))
        yield from grab("subjects", open_subjects(window, folder))
        yield from grab("annotators", second_annotator(window, folder))
        keys = KeysDialog(window.actions_by_id, window)
        keys.show()
        yield from grab("keys", keys)
    window.close()
    background.cancel_all()


def _grab(
    app: QApplication,
    window: MainWindow,
    out: Path,
    scale: int,
    themes: Sequence[str],
    workspace: str,
    part: QWidget | None = None,
) -> Iterator[Path]:
    """Pictures of the window, or of a part, as it is, in these themes."""
    for name in themes:
        theme.apply(app, name)
        settle(window)
        suffix = f"@{scale}x" if scale > 1 else ""
        picture = out / f"{workspace}-{name}{suffix}.png"
        if not (part or window).grab().save(str(picture)):
            raise SpotlabError(f"{picture} could not be written")
        yield picture


def propose(window: MainWindow, folder: Path) -> None:
    """Take all but one of a label's regions away, and let the spotter find them again."""
    workbench, canvas, proposals = (
        window.workbench,
        window.canvas,
        window.workbench.state(Proposals),
    )
    document = workbench.document
    if document is None:
        raise SpotlabError("the sample's first page could not be opened")
    window.resize(*SIMILAR_SIZE)
    first, *others = [region for region in document if region.label == SIMILAR]
    workbench.editing.do("Delete regions", document.removing([region.id for region in others]))
    workbench.selection.set([first.id])
    proposals.pages.cache = folder / "symbols"
    proposals.find()
    background.wait_until(lambda: not proposals.pages.looking, SEARCHING)
    if not proposals.shown:
        raise SpotlabError(f"nothing like the sample's {SIMILAR} was found")
    settle(window)
    canvas.zoom_to(SIMILAR_ZOOM * canvas.view.ratio)
    canvas.centre_on(*np.mean([_middle(region) for region in [first, *others]], axis=0))
    settle(window)


def inspect(window: MainWindow) -> None:
    """Look at the run that finds most, and at one of its spots that is badly placed or false."""
    window.enter("inspect")
    settle(window)
    inspection = window.workbench.state(Inspection)
    names = [run.name for run in inspection.runs]
    if RUN not in names:
        raise SpotlabError(f"the sample's run {RUN} could not be opened")
    inspection.runs.choose(names.index(RUN))
    settle(window)
    window.canvas.fit()
    entry, run = window.workbench.entry, inspection.runs.current
    wanted = (ErrorKind.BADLY_PLACED, ErrorKind.FALSE)
    on_page = [
        place
        for place in (run.errors.worst if run and run.errors else ())
        if run and entry and place.kind in wanted and run.page_of(place) == entry.name
    ]
    if on_page:
        inspection.go_to(on_page[len(on_page) // 2])


def search(window: MainWindow, folder: Path) -> None:
    """Search a word in a copy of the sample letters and choose one that was found."""
    copy = shutil.copytree(sample_collection(LETTERS), folder / LETTERS)
    words = window.workbench.state(Words)
    words.searching.cache = folder / "cache"
    window.enter("words")
    window.open_paths([copy])
    words.searching.search(WordQuery(text=SAMPLE_WORD))
    background.wait_until(lambda: not words.searching.busy, SEARCHING)
    settle(window)
    if not words.ranking.lists:
        raise SpotlabError(f"the sample's word {SAMPLE_WORD} was not found")
    found = words.ranking.lists[0].ranked.item
    words.choose_item(int(found[min(CHOSEN_RANK, len(found) - 1)]))
    settle(window)


def compare(window: MainWindow) -> None:
    """Compare the systems of the sample contest, and look at the one that seems the best."""
    systems = window.workbench.state(Systems)
    window.enter("systems")
    systems.open([sample_collection(VOTES) / CONTEST])
    background.wait_until(lambda: systems.comparison is not None, SEARCHING)
    settle(window)
    if systems.weighted is None:
        raise SpotlabError("the sample's votes could not be opened")
    systems.choose_system(int(np.nanargmax(systems.weighted.f)))
    settle(window)


def settle(window: MainWindow) -> None:
    """Wait until everything that the window shows is there, saved and counted."""
    background.wait_for_all()
    window.workbench.autosave.now()
    background.wait_until(lambda: False, PAUSE)  # lists follow after pauses of their own
    background.wait_for_all()
    window.canvas.settle()


def sketch(window: MainWindow) -> None:
    """Take one region's truth away and begin a stroke around its ink, with the mouse."""
    workbench, canvas = window.workbench, window.canvas
    document = workbench.document
    if document is None:
        raise SpotlabError("the sample's first page could not be opened")
    page_middle = document.page.width / 2, document.page.height / 2
    wanted = [region for region in document if region.label == LABEL] or list(document)
    chosen = min(wanted, key=lambda region: math.dist(page_middle, _middle(region)))
    workbench.editing.label = chosen.label
    workbench.label_changed.emit()
    workbench.editing.do("Delete region", document.removing([chosen.id]))
    workbench.set_tool("sketch")
    canvas.zoom_to(canvas.view.scale * canvas.view.ratio * ZOOM)
    canvas.view.centre_on(*np.mean([_middle(chosen), page_middle], axis=0))
    background.wait_until(lambda: workbench.ink.page is not None and workbench.ink.page.is_labelled)
    places = [QPointF(*canvas.view.to_view(x, y)) for x, y in stroke_around(chosen)]
    _mouse(canvas, QEvent.Type.MouseButtonPress, places[0])
    for place in places[1:]:
        _mouse(canvas, QEvent.Type.MouseMove, place)
    background.wait_for_all()
    _mouse(canvas, QEvent.Type.MouseMove, places[-1] + QPointF(1, 1))


def stroke_around(region: Region) -> list[tuple[float, float]]:
    """Places in px of the page on a rough stroke around a region, not quite closed.

    Examples
    --------
    >>> places = stroke_around(Region(((0, 0), (40, 0), (40, 20), (0, 20))))
    >>> len(places) > 20, min(x for x, _ in places) < 0, max(y for _, y in places) > 20
    (True, True, True)
    """
    left, top, right, bottom = region.bounds
    middle = np.array(_middle(region))
    half = np.array([right - left, bottom - top]) * (0.5 + ROOM)
    angles = np.linspace(0, 2 * np.pi * SHOWN_OF_STROKE, STROKE_POINTS) - np.pi / 2
    around = np.column_stack([np.cos(angles), np.sin(angles)])
    square = around / np.maximum(np.abs(around).max(axis=1, keepdims=True), 1e-9)
    wobble = 1 + 0.03 * np.sin(3 * angles)[:, None]  # a hand is not a compass
    places = middle + half * (0.45 * around + 0.55 * square) * wobble
    return [(float(x), float(y)) for x, y in places]


def _middle(region: Region) -> tuple[float, float]:
    left, top, right, bottom = region.bounds
    return (left + right) / 2, (top + bottom) / 2


def _mouse(widget: QWidget, kind: QEvent.Type, place: QPointF) -> None:
    moves = kind == QEvent.Type.MouseMove
    left = Qt.MouseButton.LeftButton
    event = QMouseEvent(
        kind,
        place,
        QPointF(widget.mapToGlobal(place)),
        Qt.MouseButton.NoButton if moves else left,
        left,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)


def main() -> None:
    """Draw into the first argument, a folder, at the scale of the second; name the files.

    The third is a folder for copies, which whoever calls removes; the fourth asks for all pictures.
    """
    out, scale, folder = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    try:
        for picture in draw(out, scale, folder, "every" in sys.argv[4:]):
            print(f"{WROTE}{picture}", flush=True)
    except SpotlabError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
