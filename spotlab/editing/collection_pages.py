"""Looks through a collection's pages for a label, and carries a collection step out on them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from spotlab.editing.collection_step import CollectionStep, page_key
from spotlab.editing.journal_file import has_journal, user_of
from spotlab.editing.session import EditingSession
from spotlab.errors import NotSaved, SpotlabError
from spotlab.files import exists, is_missing
from spotlab.formats.collection.folder import PageEntry, expand, summary
from spotlab.formats.truth import page_xml
from spotlab.model import LabelSet, Region, Truth
from spotlab.model.region import labels_of
from spotlab.progress import Progress, silent, track
from spotlab.trust import TruthPath, confined_truth

THREADS = 4  # writing a page is mostly waiting until it is on the disk


@dataclass
class Survey:
    """What the pages hold.

    Attributes
    ----------
    carrying : dict of Path to list of str
        The ids of the regions with the label that was looked for, by truth file.
    used : set of str
        All labels that some region has.
    problems : dict of Path to str
        Pages that cannot be read or changed, and why.
    """

    carrying: dict[Path, list[str]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    problems: dict[Path, str] = field(default_factory=dict)

    def take(self, path: Path, regions: Iterable[Region], label: str) -> None:
        """The page holds these; what was known of it before is forgotten."""
        regions = list(regions)
        self.used.update(labels_of(regions))
        self.carrying[path] = [region.id for region in regions if label and region.label == label]


def survey_pages(entries: Sequence[PageEntry], label: str, progress: Progress = silent) -> Survey:
    """Look into each page's truth file, and into the journal that a killed program left.

    Parameters
    ----------
    entries : sequence of PageEntry
        Files whose pages nobody has counted yet are counted.
    label : str
        Whose regions are wanted; "" only asks which labels there are.
    """
    found = Survey()
    for entry in track(entries, progress, "Looking through the pages"):
        try:
            pages = expand(entry)
        except SpotlabError as error:
            if entry.has_truth:
                found.problems[entry.truth_path] = _why(entry.image, error)
            continue
        for page in pages:
            _look(page.truth_path, label, found)
    return found


def _look(path: Path, label: str, found: Survey) -> None:
    known = summary(path)
    if known.error:
        found.problems[path] = _why(path, known.error)
        return
    found.used.update(name for name in known.labels if name)
    user = user_of(path)
    left = not user and has_journal(path)
    if label not in known.labels and not left:
        return
    try:
        if left:
            session = EditingSession.open(path)
            found.take(path, session.document, label)
            session.close()
        elif label:
            found.take(path, page_xml.read(path).regions, label)
    except SpotlabError as error:
        found.problems[path] = _why(path, error)
        return
    if found.carrying.get(path):
        problem = _obstacle(path, user)
        if problem:
            found.problems[path] = problem
            del found.carrying[path]


def obstacles(paths: Sequence[Path], progress: Progress = silent) -> dict[Path, str]:
    """Which of these truth files cannot be changed now, as far as a glance can tell, and why."""
    doing = track(paths, progress, "Looking for pages in use")
    found = {path: _obstacle(path, user_of(path)) for path in doing}
    return {path: why for path, why in found.items() if why}


def _obstacle(path: Path, user: str) -> str:
    if user:
        return f"{path.name} is being edited in {user}"
    if exists(path) and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return f"{path.name} cannot be written: there is no permission"
    return ""


def _why(path: Path, problem: SpotlabError | str) -> str:
    """What is wrong, without the folder, which is the collection's."""
    return str(problem).replace(f"{path.parent}{os.sep}", "")


@dataclass
class Changed:
    """What came of a step.

    Attributes
    ----------
    truths : dict of Path to Truth
        The pages that were changed, as they are now.
    problems : dict of Path to str
        Those that could not be, and why.
    untouched : list of Path
        Those that were not reached before it was stopped.
    """

    truths: dict[Path, Truth] = field(default_factory=dict)
    problems: dict[Path, str] = field(default_factory=dict)
    untouched: list[Path] = field(default_factory=list)


def change_pages(
    step: CollectionStep,
    paths: Sequence[Path],
    labels: LabelSet,
    goes_on: Callable[[], bool] = lambda: True,
    progress: Progress = silent,
) -> Changed:
    """Carry the step out on pages that nobody has open; each file is written whole or not at all.

    Parameters
    ----------
    step : CollectionStep
        Its intention has to be on the disk, see `spotlab.editing.unfinished`.
    paths : sequence of Path
        Truth files; one that is gone needs no change.
    labels : LabelSet
        The collection's, for the colours of labels that a file did not have.
    goes_on : callable
        Asked before each page; False stops.
    """
    done = Changed()

    def change(path: Path) -> None:
        if not goes_on():
            done.untouched.append(path)
            return
        try:
            truth = _change(step, confined_truth(path, step.root or step.folder), labels)
        except SpotlabError as error:
            done.problems[path] = _why(path, error)
        else:
            if truth:
                done.truths[path] = truth

    pool = ThreadPoolExecutor(THREADS)
    try:
        for place, _ in enumerate(pool.map(change, paths), 1):
            progress(place, len(paths), step.name)
    finally:
        pool.shutdown(cancel_futures=True)
    return done


def _change(step: CollectionStep, path: TruthPath, labels: LabelSet) -> Truth | None:
    """The page's truth where it had to be written, else None."""
    page = step.new.get(page_key(path))
    if is_missing(path) and (page is None or step.takes_back):
        return None
    session = EditingSession.open(path, page if is_missing(path) else None)
    try:
        edits = step.edits(path, session.document)
        session.history.do(step.name, edits)
        if not session.dirty:
            return None
        session.labels = _labels_of_file(step, session, labels)
        try:
            session.save()
        except NotSaved:
            if edits and session.recovered:
                session.history.undo()  # what a killed program left stays in the journal
            elif edits:
                session.discard()
            raise
        if step.takes_back and page is not None and not len(session.document):
            session.withdraw()  # the step had begun it
        return session.document.truth
    finally:
        session.close()


def _labels_of_file(step: CollectionStep, session: EditingSession, labels: LabelSet) -> LabelSet:
    """The file's own colours and digits; the collection's for labels that are new to it."""
    own = step.labels_after(session.labels)
    for name in labels_of(session.document):
        if name not in own and name in labels:
            own = own.with_entry(labels[name], len(own))
    return own
