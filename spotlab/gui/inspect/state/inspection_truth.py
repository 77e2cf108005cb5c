"""The truth that runs are judged by: of closed pages from their files, of the open one as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import SpotlabError
from spotlab.formats.truth.page_xml import read
from spotlab.gui.kit.settings import ANNOTATION_FILES, Settings
from spotlab.model import Truth
from spotlab.progress import Progress, track
from spotlab.studies.tally.truth import TruthSet

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


MOST = 50  # runs that are remembered


class AnnotationFiles:
    """The annotation files that were chosen for runs."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def of(self, run: Path) -> Path | None:
        """Return the annotation file that was chosen for a run's file; it may have gone."""
        chosen = self._settings.get(ANNOTATION_FILES).get(str(run))
        return None if chosen is None else Path(chosen)

    def remember(self, run: Path, annotations: Path) -> None:
        """Use this annotation file for a run's file from now on."""
        chosen = self._settings.get(ANNOTATION_FILES)
        others = {name: file for name, file in chosen.items() if name != str(run)}
        recent = dict(list(others.items())[-(MOST - 1) :])
        self._settings.set(ANNOTATION_FILES, {**recent, str(run): str(annotations)})


@dataclass(frozen=True)
class TruthRequest:
    """Truth for a thread to read: truth files by page name, and truths already known.

    ``labels`` are the collection's, in the order of its list.
    """

    names: tuple[str, ...]
    files: Mapping[str, Path]
    known: Mapping[str, Truth]
    labels: tuple[str, ...] = ()

    def only(self, name: str) -> TruthRequest:
        """The request for one page."""
        files = {name: self.files[name]} if name in self.files else {}
        known = {name: self.known[name]} if name in self.known else {}
        return replace(self, names=(name,), files=files, known=known)

    def read(
        self, progress: Progress, failed: Callable[[SpotlabError], object] | None = None
    ) -> TruthSet:
        """Read the files; ``failed`` is told of each that cannot be read, its page has no truth.

        Raises
        ------
        SpotlabError
            A file cannot be read, and nobody wants to be told.
        """
        truths = dict(self.known)
        for name, path in track(list(self.files.items()), progress, "Reading truth"):
            try:
                truths[name] = read(path)
            except SpotlabError as error:
                if failed is None:
                    raise
                failed(error)
        ordered = {name: truths[name] for name in self.names if name in truths}
        without = tuple(name for name in self.names if name not in truths)
        return TruthSet(ordered, without, labels=self.labels)


class InspectionTruth:
    """The truth of the whole collection, read once and kept up to date."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._known: TruthSet | None = None

    def request(self) -> TruthRequest:
        """Return what has to be read now."""
        sessions = {session.path: session for session in self._workbench.sessions}
        known = dict(self._known.truths) if self._known else {}
        files: dict[str, Path] = {}
        for entry in self._workbench.entries:
            session = sessions.get(entry.truth_path)
            if session is not None and (session.document.truth.regions or entry.has_truth):
                known[entry.name] = session.document.truth
            elif entry.name not in known and entry.has_truth:
                files[entry.name] = entry.truth_path
        names = tuple(entry.name for entry in self._workbench.entries)
        labels = tuple(label.name for label in self._workbench.labels)
        return TruthRequest(names, files, known, labels)

    def use(self, truths: TruthSet) -> None:
        """This is the truth now."""
        self._known = truths

    def knows(self, name: str) -> bool:
        """Tell whether the page was among those with truth."""
        return self._known is not None and name in self._known.truths

    @property
    def all(self) -> Mapping[str, Truth]:
        """The truths that the figures are of, by page name."""
        return self._known.truths if self._known is not None else {}

    def of(self, name: str) -> Truth | None:
        """The truth of a page that the figures are of; None where it has none."""
        return self._known.truths.get(name) if self._known is not None else None

    def changed(self) -> tuple[str, Truth] | None:
        """A page that was opened and its truth, if that is not the one that is known."""
        if self._known is None:
            return None
        sessions = {session.path: session for session in self._workbench.sessions}
        for entry in self._workbench.entries if sessions else ():
            session = sessions.get(entry.truth_path)
            if session is None:
                continue
            truth, before = session.document.truth, self._known.truths.get(entry.name)
            if truth is not before and truth.regions != (before.regions if before else ()):
                return entry.name, truth
        return None

    def take(self, truths: Mapping[str, Truth]) -> bool:
        """These were written; False if nothing was known of any."""
        if self._known is None:
            return False
        self._known = replace(self._known, truths={**self._known.truths, **truths})
        return True

    def note(self, name: str, truth: Truth) -> None:
        """This is what the figures are of now."""
        if self._known is not None:
            self._known = replace(self._known, truths={**self._known.truths, name: truth})

    def forget(self) -> None:
        """Nothing is known."""
        self._known = None
