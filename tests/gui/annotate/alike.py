"""Some sample plans from which symbols are missing, and a spotter that knows where they are."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from spotlab.editing.session import EditingSession
from spotlab.formats.truth import page_xml
from spotlab.geometry.polygon import Outlines, pair_boxes
from spotlab.gui.annotate.similar import proposal_pages, proposal_search
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Region
from spotlab.progress import Progress, silent
from spotlab.resources import sample_collection
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.proposals.candidate_classifier import Proposal
from spotlab.spotting.symbols.proposals.lesson import LabelledExamples
from tests.gui import gestures, windows

LABEL = "chair"
PAGES = ("plan_001", "plan_002", "plan_003")
NOTHING = ((40.0, 40.0), (120.0, 40.0), (120.0, 120.0), (40.0, 120.0))  # no symbol is there


@dataclass
class Spotter:
    """Proposes the missing symbols with falling scores, and last a place where there is nothing.

    Attributes
    ----------
    missing : dict of str to list of Region
        By page.
    asked : list of (str, LabelledExamples, tuple of str or None)
        What it was asked so far: the page, what was known, for which labels.
    gate : threading.Event
        It waits for this.
    """

    missing: dict[str, list[Region]] = field(default_factory=dict)
    asked: list[tuple[str, LabelledExamples, tuple[str, ...] | None]] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)

    def propose(
        self,
        page: PageFeatures,
        lessons: LabelledExamples,
        taken: Outlines,
        labels: Sequence[str] | None = None,
        progress: Progress = silent,
        *,
        name: str = "",
        learner: object = None,
        others: object = (),
    ) -> tuple[Proposal, ...]:
        """As `propose`; one rejection makes it less sure."""
        self.asked.append((name, lessons, None if labels is None else tuple(labels)))
        while not self.gate.wait(0.005):
            progress(0, None, "")
        wanted = lessons.labels if labels is None else labels
        found = [(each.label, each.array) for each in self.missing[name] if each.label in wanted]
        if found:
            found.append((LABEL, np.array(NOTHING)))
        closed = [taken] + [
            Outlines.of([each.outline])
            for each in lessons.all
            if not each.is_positive and each.page == name
        ]
        less = 0.02 * sum(not each.is_positive for each in lessons.all)
        return tuple(
            Proposal(name, label, outline, 0.9 - 0.05 * number - less)
            for number, (label, outline) in enumerate(found)
            if not any(covers(each, outline) for each in closed)
        )


def covers(outlines: Outlines, outline: np.ndarray) -> bool:
    pairs = pair_boxes(outlines.bounds, Outlines.of([outline]).bounds)
    return bool((pairs.iou > 0.5).any())


def write_plan(folder: Path, name: str) -> None:
    """A sample plan with its chairs and one region of each other label."""
    shutil.copy(sample_collection() / f"{name}.png", folder)
    truth = page_xml.read(sample_collection() / f"{name}.xml")
    kept = {r.id if r.label == LABEL else r.label: r for r in truth.regions}
    page = replace(truth.page, image=folder / f"{name}.png")
    truth = replace(truth, page=page, regions=tuple(kept.values()))
    page_xml.write(truth, folder / f"{name}.xml")


def take_away(folder: Path, page: str, keep: int, label: str = LABEL) -> list[Region]:
    """Take a label's regions out of a truth file, but for the first ones."""
    session = EditingSession.open(folder / f"{page}.xml")
    regions = [region for region in session.document if region.label == label]
    gone = regions[keep:]
    session.history.do("Set up", session.document.removing([region.id for region in gone]))
    session.save()
    session.close()
    return gone


def open_plans(
    tmp_path: Path,
    patch: pytest.MonkeyPatch,
    pages: Sequence[str] = PAGES,
    *,
    real: bool = False,
    size: tuple[int, int] = (1200, 860),
    window: MainWindow | None = None,
) -> tuple[MainWindow, Spotter]:
    """A window, or this one, on plans; all regions of the label but the first are missing."""
    folder = tmp_path / "plans"
    folder.mkdir()
    spotter = Spotter()
    spotter.gate.set()
    for number, name in enumerate(pages):
        write_plan(folder, name)
        spotter.missing[name] = take_away(folder, name, keep=0 if number else 1)
    shutil.copy(sample_collection() / "spotlab.json", folder)
    if not real:
        patch.setattr(proposal_search, "propose", spotter.propose)
        patch.setattr(proposal_search, "default_min_score", lambda *_: 0.5)
        patch.setattr(proposal_pages, "learn_pages", lambda *_: False)
        patch.setattr(proposal_search, "snap_to_ink", lambda outline, _: outline)
    if window is None:
        window = windows.open_window(tmp_path, folder, size=size)
    else:
        windows.begin_anew(window, folder, size=size)
    cache = tmp_path.parent / "seen"  # once for all tests
    window.workbench.state(Proposals).pages.cache = cache
    return window, spotter


def calm(window: MainWindow) -> Proposals:
    """Wait until everything is searched that is to be searched now."""
    proposals = window.workbench.state(Proposals)

    def quiet() -> bool:
        pages = proposals.pages
        return not (pages.looking or pages.busy) and background.wait_for_all(0)

    wait(quiet)
    windows.settle()
    wait(quiet)
    return proposals


def wait(happened: Callable[[], bool]) -> None:
    assert background.wait_until(happened, 60)
    QApplication.processEvents()


def place_of(window: MainWindow, region: Region | Proposal) -> gestures.Place:
    """The middle of a region on the canvas."""
    outline = region.array if isinstance(region, Region) else region.outline
    return window.canvas.view.to_view(*outline.mean(axis=0).tolist())


def click_region(window: MainWindow, label: str = LABEL) -> Region:
    """Select the first region of a label by a click."""
    region = next(each for each in window.workbench.document or () if each.label == label)
    gestures.click(window.canvas, place_of(window, region))
    assert window.workbench.selected == (region,)
    return region


def labels_on_disk(window: MainWindow, page: str) -> list[str]:
    """The labels in a truth file as it is."""
    folder = window.workbench.collection.folder
    assert folder is not None
    return [region.label for region in page_xml.read(folder / f"{page}.xml").regions]
