"""Renames a label on all pages of the collection, the open one as an undoable step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spotlab.editing.journal import is_in_use
from spotlab.editing.operations import relabel
from spotlab.editing.session import EditingSession
from spotlab.errors import SpotlabError
from spotlab.gui import background
from spotlab.gui.workbench import Workbench
from spotlab.model import Truth
from spotlab.progress import Progress, track

Renamed = tuple[list[tuple[Path, Truth]], list[str]]


class Relabelling:
    """Open pages are changed at once, the others in the background."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self.job: background.Job | None = None

    def rename(self, old: str, new: str) -> None:
        """Give a label another name, or join it with the one that has it."""
        workbench = self._workbench
        new = " ".join(new.split())
        if not new or new == old or old not in workbench.labels:
            return
        workbench.proposals.rename(old, new)
        open_paths = set()
        for session in workbench.sessions:
            open_paths.add(session.path)
            carrying = [region for region in session.document if region.label == old]
            edits = session.document.replacing(*relabel(carrying, new))
            session.history.do(f"Rename {old} to {new}", edits)
        workbench.inspection.truth_edited()
        workbench.collection.set_labels(workbench.labels.with_name(old, new))
        if workbench.label == old:
            workbench.label = new
            workbench.label_changed.emit()
        workbench.autosave.now()
        collection = workbench.collection
        others = [
            entry.truth_path
            for index, entry in enumerate(workbench.entries)
            if entry.truth_path not in open_paths
            and (known := collection.summary(index))
            and old in known.labels
        ]
        if others:
            self.job = background.run(
                rename_on_pages,
                others,
                old,
                new,
                done=self._done,
                progress=workbench.progressed.emit,
            )

    def _done(self, renamed: Renamed) -> None:
        workbench = self._workbench
        entries = {entry.truth_path: entry for entry in workbench.entries}
        done, problems = renamed
        written = {entries[path]: truth for path, truth in done if path in entries}
        for entry, truth in written.items():
            workbench.collection.note(entry, truth)
        workbench.inspection.truth_written({entry.name: each for entry, each in written.items()})
        workbench.finished.emit()
        if problems:
            workbench.said.emit("; ".join(problems), True)
        else:
            pages = "1 other page" if len(done) == 1 else f"{len(done)} other pages"
            workbench.said.emit(f"Renamed on {pages}", False)


def rename_on_pages(paths: Sequence[Path], old: str, new: str, progress: Progress) -> Renamed:
    """Rename a label in truth files; gives what was changed and what stood against it."""
    done: list[tuple[Path, Truth]] = []
    problems: list[str] = []
    for path in track(paths, progress, f"Renaming {old}"):
        if is_in_use(path):
            problems.append(f"{path.name} is open in another window")
            continue
        try:
            session = EditingSession.open(path)
            try:
                carrying = [region for region in session.document if region.label == old]
                edits = session.document.replacing(*relabel(carrying, new))
                session.labels = session.labels.with_name(old, new)
                session.history.do(f"Rename {old} to {new}", edits)
                session.save()
                done.append((path, session.document.truth))
            finally:
                session.close()
        except SpotlabError as error:
            problems.append(str(error))
    return done, problems
