"""A second annotator's truth of the open collection, compared with the open page as it is drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs
from PySide6.QtCore import QTimer

from spotlab.files import exists
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.settings import COMPARISONS, ComparisonSetting
from spotlab.model import Truth
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.studies.annotators.differences import (
    ALIKE,
    MATCH,
    AnnotatorAgreement,
    RegionPair,
    compare_page,
)
from spotlab.studies.tally.truth import TruthSet, match_pages, read_truths

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

PAUSE = 150  # ms after an edit until the page is compared again


class SecondAnnotator:
    """Their regions, how far they agree with those of the open page, and where they differ.

    Attributes
    ----------
    path : Path or None
        Their folder or file; None where none is open.
    annotator : str
        Whose work is compared, of a file of several annotators.
    theirs : TruthSet or None
    agreement : AnnotatorAgreement or None
        Of the open page as it is now, or a moment ago.
    current : RegionPair or None
        The pair that keys mean.
    problem : str
        Why the open page cannot be compared.
    listing : Task
        Lists the annotators of a file that a person has chosen.
    shown : bool
        Whether their regions are drawn over the page.
    changed, current_changed : Signal
    opened : Signal
        Another second annotator is open, or none.
    limits_changed : Signal
        Regions match, or count as alike, from another IoU on.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.path: Path | None = None
        self.annotator = ""
        self.theirs: TruthSet | None = None
        self.agreement: AnnotatorAgreement | None = None
        self.current: RegionPair | None = None
        self.problem = ""
        self.shown = True
        self.match, self.alike = MATCH, ALIKE
        self.changed, self.current_changed = Signal[[]](), Signal[[]]()
        self.opened, self.limits_changed = Signal[[]](), Signal[[]]()
        self.listing = Task(workbench)
        self._reading, self._comparing = Task(workbench), Task(say=workbench.said.emit)
        self._timer = QTimer(singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self.compare)
        workbench.document_changed.connect(lambda _: self._timer.start())
        workbench.page_changed.connect(self._follow_page)
        workbench.collection_changed.connect(self._reopen)
        if workbench.entries:
            self._reopen()

    @property
    def active(self) -> bool:
        """Tell whether a second annotator is open."""
        return self.theirs is not None

    @property
    def busy(self) -> bool:
        """Tell whether their truth is being read, or the page being compared."""
        tasks = self.listing, self._reading, self._comparing
        return any(task.busy for task in tasks) or self._timer.isActive()

    @property
    def name(self) -> str:
        """Theirs, from the file that names them, or from the folder."""
        return self.annotator or (self.path.name if self.path is not None else "")

    @property
    def folder(self) -> Path | None:
        """The folder of what is open, which is the first annotator's."""
        return self.workbench.collection.folder

    def open(self, path: Path, annotator: str = "", again: bool = False) -> None:
        """Read a second annotator's truth, in any format.

        Parameters
        ----------
        path : Path
        annotator : str
            Whose work to read, of a file of several annotators.
        again : bool
            It was open with this collection before: if it has gone, nothing is said.
        """

        def read(truths: TruthSet | None) -> None:
            if truths is None:
                return
            self.path, self.annotator, self.theirs = path, annotator, truths
            self.remember("theirs", path)
            self._keep("annotator", annotator)
            self.opened.emit()
            self._follow_page()

        self._reading.start(_read, path, annotator, again, done=read)

    def read_again(self) -> None:
        """Read their truth again, as it is on the disk now."""
        if self.path is not None:
            self.open(self.path, self.annotator)

    def close(self, forget: bool = True) -> None:
        """Compare no more; ``forget`` does not open it by itself at the next start either."""
        self._reading.cancel()
        self._comparing.cancel()
        if forget:
            self.remember("theirs", None)
            self.remember("decided", None)
        self.path = self.theirs = None
        self.annotator = ""
        self.opened.emit()
        self._follow_page()

    def show(self, shown: bool) -> None:
        """Draw their regions over the page, or not."""
        self.shown = shown
        self.changed.emit()

    def set_limits(self, match: float, alike: float) -> None:
        """Set the IoU from which regions match, and that from which outlines count as the same."""
        if (match, alike) != (self.match, self.alike):
            self.match, self.alike = match, alike
            self._keep("limits", (match, alike))
            self.compare()
            self.limits_changed.emit()

    def set_current(self, pair: RegionPair | None) -> None:
        """Let keys mean this pair, and no selected region."""
        if pair is not None:
            self.workbench.selection.clear()
        if pair is not self.current:
            self.current = pair
            self.current_changed.emit()

    def truth_of(self, page: str) -> Truth | None:
        """Return what they have drawn on a page; None where they have not seen it."""
        if self.theirs is None:
            return None
        name = page if page in self.theirs.truths else match_pages([page], self.theirs)[page]
        return None if name is None else self.theirs.truths[name]

    @property
    def here(self) -> Truth | None:
        """Return what they have drawn on the open page."""
        entry = self.workbench.entry
        return None if entry is None else self.truth_of(entry.name)

    def compare(self) -> None:
        """Compare the open page as it is now."""
        self._timer.stop()
        document, theirs = self.workbench.document, self.here
        if document is None or theirs is None:
            return
        mine = document.truth
        sizes = {(truth.page.width, truth.page.height) for truth in (mine, theirs)}
        self.problem = ""
        if len(sizes) > 1:
            self.problem = (
                f"{self.name} has drawn on {theirs.page.width} × {theirs.page.height} px, "
                f"but the page has {mine.page.width} × {mine.page.height} px"
            )
            self.changed.emit()
            return
        self._comparing.start(
            compare_page, mine, theirs, self.match, self.alike, done=self._compared
        )

    def remember(self, what: str, path: Path | None) -> None:
        """Open this by itself when the collection is opened again."""
        self._keep(what, None if path is None else str(path.absolute()))

    def remembered(self, what: str) -> Path | None:
        """Return what was open with this collection before; it may have gone."""
        path = getattr(self._kept, what)
        return Path(path) if isinstance(path, str) else None

    @property
    def _kept(self) -> ComparisonSetting:
        return self.workbench.settings.get(COMPARISONS).get(str(self.folder), ComparisonSetting())

    def _keep(self, what: str, value: object) -> None:
        if self.folder is not None:
            known = self.workbench.settings.get(COMPARISONS)
            every = {**known, str(self.folder): structs.replace(self._kept, **{what: value})}
            self.workbench.settings.set(COMPARISONS, every)

    def _reopen(self) -> None:
        """Another collection is open: so is what was compared with it before."""
        self.close(forget=False)
        self.match, self.alike = self._kept.limits or (MATCH, ALIKE)
        path = self.remembered("theirs")
        if path is not None:
            self.open(path, self._kept.annotator, again=True)

    def _follow_page(self) -> None:
        self._comparing.cancel()
        self.agreement, self.problem = None, ""
        self.set_current(None)
        self.changed.emit()
        self.compare()

    def _compared(self, agreement: AnnotatorAgreement) -> None:
        """The current pair is the one with the same regions' ids, if there is one still."""
        self.agreement = agreement
        before = self.current
        if before is not None:
            same = (p for p in agreement.differences.differences if _ids(p) == _ids(before))
            self.current = next(same, None)
        self.changed.emit()
        if self.current is not before:
            self.current_changed.emit()


def _ids(pair: RegionPair) -> tuple[str | None, str | None]:
    return (
        pair.first.id if pair.first is not None else None,
        pair.second.id if pair.second is not None else None,
    )


def _read(path: Path, annotator: str, again: bool, progress: Progress) -> TruthSet | None:
    if again and not exists(path):
        return None
    truths = read_truths([path], annotator=annotator, progress=progress)
    light = {name: replace(truth, source=b"") for name, truth in truths.truths.items()}
    return replace(truths, truths=light)
