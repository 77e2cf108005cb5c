"""Takes over what the journals of a page hold that its truth file lacks.

There may be two journals, one beside the truth file and one in the user's state folder: the one
that goes further is taken; the other one goes if it holds nothing else. Where a journal is damaged,
every step is taken that can be read and that fits, the others are counted, and the journal is kept
under another name. A step that fits although one before it is missing does what it did: it comes
with all the values that it found, and those have to be there.

Steps in a journal that this user's spotlab has not signed are taken only when asked to. Such a
journal comes with a folder: from a colleague whose program was killed, from spotlab before 0.28,
which signed nothing, or from somebody who wants these steps to be taken unseen. It stays as it is
until somebody has decided; what is drawn meanwhile goes to the other place for the journal.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from spotlab.editing.document import Document, Edit, EditError, inverses
from spotlab.editing.edit_json import RecordedEdit
from spotlab.editing.history import History, Kind, Recorder, Step
from spotlab.editing.journal import Journal, Recorded, digest, read_journal, user_of
from spotlab.editing.journal_file import journal_path, journal_paths
from spotlab.editing.journal_lines import RecordedStep
from spotlab.errors import BadInput, NotSaved, SpotlabError, counted, reason
from spotlab.files import name_with
from spotlab.formats.rows.files import keep_damaged, write_atomically
from spotlab.formats.truth import page_xml
from spotlab.model import Page, Truth


@dataclass
class Replayed:
    """Steps that were taken over from a journal."""

    taken: list[tuple[Kind, Step]] = field(default_factory=list)
    unfit: int = 0


def replay(
    document: Document,
    history: History,
    steps: Sequence[RecordedStep],
    recorder: Recorder | None = None,
) -> Replayed:
    """Take each step that fits.

    Parameters
    ----------
    document, history
    steps : sequence of RecordedStep
    recorder : Recorder, optional
        Records the steps again, for a document that is shown. Without it they are in a journal
        already, and nobody listens yet.
    """
    done = Replayed()
    for recorded in steps:
        edits = _apply(recorded.step.edits, document)
        if edits is None:
            done.unfit += 1
            continue
        step = Step(recorded.step.name, edits)
        kind = _kind(recorded.kind, step, history)
        if recorder is not None:
            try:
                recorder.record(kind, step)
            except Exception:
                document.apply(inverses(edits))
                raise
        history.remember(kind, step)
        if recorder is not None:
            document.changed.emit(edits)
        done.taken.append((kind, step))
    return done


def _apply(edits: Sequence[Edit], document: Document) -> tuple[Edit, ...] | None:
    """Apply the edits as they fit here; None, and nothing has changed, if one does not."""
    done: list[Edit] = []
    for edit in edits:
        here = _apply_whole(edit, document) or _apply_singles(edit, document)
        if here is None:
            document.apply(inverses(done))
            return None
        done += here
    return tuple(done)


def _apply_whole(edit: Edit, document: Document) -> list[Edit] | None:
    """Apply an edit as it is; None, and nothing has changed, if it does not fit."""
    here = edit.on(document) if isinstance(edit, RecordedEdit) else edit
    if here is None:
        return None
    try:
        document.apply([here])
    except EditError:
        return None
    return [here]


def _apply_singles(edit: Edit, document: Document) -> list[Edit] | None:
    """Apply an edit region by region, each where it fits here; None if one does not."""
    done: list[Edit] = []
    if isinstance(edit, RecordedEdit) and edit.ids:
        return None
    for single in edit.singles():
        here = _here(single, document)
        try:
            document.apply([here])
        except EditError:
            document.apply(inverses(done))
            return None
        done.append(here)
    return done


def _here(edit: Edit, document: Document) -> Edit:
    """The edit for the page where it lies now, and the order of its regions.

    The folder may have been moved, and regions that could not be read are not in the order.
    """
    if edit.page is not None:
        page, (before, after) = document.page, edit.page
        return Edit(
            page=(replace(page, checked=before.checked), replace(page, checked=after.checked))
        )
    if not edit.places:
        return edit
    if edit.after:
        return replace(edit, places=(min(edit.places[0], len(document)),))
    [region] = edit.before
    if document.get(region.id) != region:
        return edit
    return replace(edit, places=(document.index(region.id, edit.places[0]),))


def _kind(kind: Kind, step: Step, history: History) -> Kind:
    """Return a step's kind for the history: "do" where the one that it undoes was not read."""
    match kind:
        case "undo":
            fits = history.mark is not None and inverses(history.mark.edits) == step.edits
        case "redo":
            fits = history.undone is not None and history.undone.edits == step.edits
        case "merge":
            fits = history.mark is not None
        case _:
            fits = True
    return kind if fits else "do"


@dataclass
class Recovery:
    """Recovery of one page from its journals; `take_over` brings their steps into the document.

    Attributes
    ----------
    path : Path
        The truth file.
    on_disk : bytes
        Its content; empty where there is none.
    foreign : Recorded or None
        What the journal beside the truth file holds if this user has not signed all of it. It is
        left alone, see `LeftSteps`.
    """

    path: Path
    on_disk: bytes
    document: Document
    history: History
    journal: Journal
    remarks: list[str] = field(default_factory=list)
    superseded: set[Path] = field(default_factory=set)
    foreign: Recorded | None = None

    def take_over(self) -> str:
        """Take over what there is; gives what a person has to know of it, or nothing."""
        found = self._read()
        state = digest(self.on_disk)
        found.sort(key=lambda each: (each[1].knows(state), not each[1].damaged, each[1].total))
        if not found:
            self.journal.supersede(self.superseded)
            self.journal.rewrite(self.document.page, self.on_disk, ())
            return self._said("")
        place, recorded = found.pop()
        for other, older in found:
            self._drop_or_keep(other, older, recorded)
        known = recorded if recorded.knows(state) else self._compared(recorded, state)
        if known.base is not None and not known.knows(state):
            return self._said(self._keep_apart(place, known))
        return self._said(self._take(place, known, state))

    def _read(self) -> list[tuple[Path, Recorded]]:
        found = []
        for place in journal_paths(self.path):
            try:
                recorded = read_journal(place)
            except FileNotFoundError:
                continue
            except OSError as error:
                self.journal.avoid(place)
                self.remarks.append(f"{place} cannot be read: {reason(error)}")
                continue
            if recorded == Recorded():
                self.superseded.add(place)  # killed before anything stood in it
            elif place == journal_path(self.path) and self._is_foreign(recorded):
                self.foreign = recorded
                self.journal.avoid(place)
            elif place != journal_path(self.path) and not self._is_of_this_image(recorded):
                kept = self._keep_damaged(place)
                self.remarks.append(
                    f"the journal belongs to another image of the same name; it is kept as {kept}"
                )
            else:
                found.append((place, recorded))
        return found

    def _is_foreign(self, recorded: Recorded) -> bool:
        """Tell whether a journal has steps for the truth file that somebody else may have written.

        What lies in the user's own state folder is not asked about: nobody else can put it there.
        """
        lacks = not recorded.knows(state := digest(self.on_disk)) or recorded.steps_after(state)
        return bool(recorded.foreign and recorded.steps and lacks)

    def _is_of_this_image(self, recorded: Recorded) -> bool:
        """Tell whether a journal that does not lie beside the page may be of it.

        Another disk may be where the page's was.
        """
        before, here = recorded.page, self.document.page
        return before is None or (
            (before.image.name, before.width, before.height, before.frame)
            == (here.image.name, here.width, here.height, here.frame)
        )

    def _take(self, place: Path, recorded: Recorded, state: str) -> str:
        steps = recorded.steps_after(state)
        lost = recorded.lost_after(state)
        kept = self._keep_damaged(place) if recorded.damaged else None
        replayed = replay(self.document, self.history, steps)
        self.journal.supersede(self.superseded)
        if recorded.content and self._resume(place, recorded):
            if not steps:
                self.journal.begin(self.document.page, self.on_disk)
        else:
            if not recorded.damaged:
                self.journal.supersede({*self.superseded, place})
            self.journal.rewrite(self.document.page, self.on_disk, replayed.taken)
        if replayed.taken:
            self.history.mark_dirty()
        saved = len(recorded.steps) > len(steps)
        return summary_text(self.document.page, replayed, lost, recorded.damaged, saved, kept)

    def _resume(self, place: Path, recorded: Recorded) -> bool:
        """Go on in the journal that is there; False where it can only be read."""
        try:
            self.journal.resume(place, recorded)
        except OSError:
            return False
        return True

    def _keep_damaged(self, place: Path) -> Path | None:
        """Keep a journal under another name; where that fails, where it is."""
        kept = keep_damaged(place)
        if kept is None:
            self.journal.avoid(place)
            return place
        self.superseded.add(place)
        return kept

    def _drop_or_keep(self, place: Path, older: Recorded, taken: Recorded) -> None:
        """Remove the journal that does not go as far as the other, or keep it if it holds more."""
        held = all(step in taken.steps for step in older.steps)
        if older.base == taken.base and held and not older.damaged:
            self.superseded.add(place)
            return
        kept = self._keep_damaged(place)
        self.remarks.append(f"another journal of this page is kept as {kept}")

    def _compared(self, recorded: Recorded, state: str) -> Recorded:
        """The journal with the state of the truth file in it, where comparing tells which it is."""
        if not recorded.damaged or recorded.page is None:
            return recorded
        try:
            before = Document(parsed(recorded.source, self.path, recorded.page))
        except SpotlabError:
            return replace(recorded, base=None)
        here = tuple(self.document)
        for step in recorded.steps:
            replay(before, History(before), [step])
            if tuple(before) == here and before.page.checked == self.document.page.checked:
                return replace(recorded, saves=(*recorded.saves, (state, step.number)))
        return recorded

    def _keep_apart(self, place: Path, recorded: Recorded) -> str:
        """Write a journal's work beside a truth file that it does not belong to any more."""
        try:
            copy, replayed = write_apart(self.path, recorded)
        except SpotlabError as error:
            self.journal.avoid(place)
            self.journal.supersede(self.superseded)
            steps = counted(len(recorded.steps), "step")
            return (
                f"{self.path.name} was changed by another program; {steps} that had not been "
                f"saved to it stay in {place}: {error}"
            )
        kept = self._keep_damaged(place) if recorded.damaged else None
        self.superseded.add(place)
        self.journal.supersede(self.superseded)
        self.journal.rewrite(self.document.page, self.on_disk, ())
        return changed_text(self.path, replayed, copy, recorded.total - len(replayed.taken), kept)

    def _said(self, text: str) -> str:
        return ". ".join(part for part in (text, *self.remarks) if part)


def parsed(content: bytes, path: Path, page: Page | None) -> Truth:
    """The truth in a PAGE file; that of an empty file on this page where there is no content.

    Raises
    ------
    BadInput
        The file makes no sense, or there is neither a file nor a page.
    """
    if not content:
        if page is None:
            raise BadInput(path, "there is no such truth file", expected="PAGE XML")
        # The empty file is made now, so that the date of its creation stays
        return replace(Truth(page), source=page_xml.serialise(Truth(page), datetime.now(UTC)))
    truth = page_xml.parse(content, path)
    if page is None:
        return truth
    own = truth.page
    kept = replace(
        page, checked=own.checked, order=own.order, tags=own.tags, image_id=own.image_id
    )  # fmt: skip
    return replace(truth, page=kept)


def write_apart(path: Path, recorded: Recorded) -> tuple[Path, Replayed]:
    """Write a journal's work into a truth file of its own beside the page's.

    Raises
    ------
    SpotlabError
        The state on which its steps stand makes no sense, or nothing can be written there.
    """
    document = Document(parsed(recorded.source, path, recorded.page))
    replayed = replay(document, History(document), recorded.steps)
    content = page_xml.serialise(document.truth, datetime.now(UTC))
    return write_copy(path, "recovered", content), replayed


def changed_text(
    path: Path, replayed: Replayed, copy: Path, missing: int, kept: Path | None
) -> str:
    """Say that steps are in a copy, because the truth file is not the one they were drawn on."""
    text = (
        f"{path.name} was changed by another program; {counted(len(replayed.taken), 'step')} "
        f"that had not been saved to it are in {copy.name}"
    )
    return text + _left_out(missing, 0) + _kept(kept)


def summary_text(
    page: Page, replayed: Replayed, lost: int, damaged: bool, saved: bool, kept: Path | None
) -> str:
    """Say what was taken over from a journal; empty if it held nothing."""
    taken = len(replayed.taken)
    if not damaged and not taken and not replayed.unfit:
        return ""
    if taken:
        text = f"Recovered {counted(taken, 'step')} on {page.name} that had not been saved"
    elif saved and not lost and not replayed.unfit:
        text = f"The journal of {page.name} is damaged: its readable steps are already saved"
    else:
        text = f"The journal of {page.name} is damaged: nothing could be recovered"
    return text + _left_out(lost, replayed.unfit) + _kept(kept)


def _left_out(lost: int, unfit: int) -> str:
    text = f"; {counted(lost, 'step')} could not be read" if lost else ""
    was = "was" if unfit == 1 else "were"
    return text + (
        f"; {counted(unfit, 'step')} did not match the page and {was} left out" if unfit else ""
    )


def _kept(kept: Path | None) -> str:
    return f"; the damaged journal is kept as {kept}" if kept else ""


def write_copy(path: Path, what: str, content: bytes) -> Path:
    """Write a file beside this one under a name that nothing has yet.

    Parameters
    ----------
    path : Path
        The file of which it is a copy.
    what : str
        Comes into the name: "copy" gives ``plan.copy.xml``, then ``plan.copy-2.xml``.
    content : bytes

    Returns
    -------
    copy : Path

    Raises
    ------
    NotSaved
        The system refused.
    """
    number = 1
    while True:
        mark = f".{what}" if number == 1 else f".{what}-{number}"
        copy = path.with_name(name_with(path.stem, mark + path.suffix))
        try:
            check = partial(_check_free, copy)
            check()
            write_atomically(copy, content, check)
        except _NameTaken:
            number += 1
        else:
            return copy


class _NameTaken(NotSaved):
    """Something has this name."""


def _check_free(path: Path) -> None:
    if os.path.lexists(path):
        raise _NameTaken(f"{path} is there already")


@dataclass(frozen=True)
class LeftSteps:
    """The steps of a journal that this user has not written.

    Attributes
    ----------
    truth_path, path : Path
        The truth file, and the journal.
    state : str
        The digest of the truth file then.
    recorded : Recorded
    changed : datetime
        When the journal was written last.
    """

    truth_path: Path
    path: Path
    state: str
    recorded: Recorded
    changed: datetime

    @classmethod
    def of(cls, truth_path: Path, recorded: Recorded, state: str) -> LeftSteps:
        """The steps that were read from the journal beside a truth file in this state."""
        path = journal_path(truth_path)
        changed = 0.0
        with contextlib.suppress(OSError):  # it is gone: nothing of it can be taken
            changed = path.stat().st_mtime
        return cls(truth_path, path, state, recorded, datetime.fromtimestamp(changed, UTC))

    @property
    def names(self) -> list[str]:
        """The names of the steps that the truth file lacks, as they may be shown."""
        steps = self.recorded.steps_after(self.state)
        return ["".join(filter(str.isprintable, each.step.name))[:80] for each in steps]

    @property
    def host(self) -> str:
        """The machine that wrote them; empty if the journal does not say it."""
        return self.recorded.lease.shown_host if self.recorded.lease else ""

    def take(self, document: Document, history: History, journal: Journal, state: str) -> str:
        """Apply the steps to the open page, as steps that can be undone; the journal then goes.

        Parameters
        ----------
        document, history, journal
            Of the open page; it may have been edited since it was opened.
        state : str
            The digest of the truth file now.

        Returns
        -------
        text : str
            What was done, for a person.

        Raises
        ------
        NotSaved
            The journal is gone, has changed or is in use; nothing has changed.
        SpotlabError
            The steps cannot be kept; those that were taken stay, and the journal, too.
        """
        self._check(journal)
        recorded = self.recorded
        lost, unfit = 0, 0
        if recorded.base is None or recorded.knows(self.state) or recorded.knows(state):
            base = self.state if recorded.knows(self.state) else state
            replayed = replay(document, history, recorded.steps_after(base), journal)
            lost, unfit = recorded.lost_after(base), replayed.unfit
            if replayed.taken:
                history.mark_dirty()
            kept = self._keep(journal, is_complete=not (recorded.damaged or lost or unfit))
            return summary_text(document.page, replayed, lost, recorded.damaged, False, kept)
        copy, replayed = write_apart(self.truth_path, recorded)
        missing = recorded.total - len(replayed.taken)
        kept = self._keep(journal, is_complete=not (recorded.damaged or missing))
        return changed_text(self.truth_path, replayed, copy, missing, kept)

    def _check(self, journal: Journal) -> None:
        try:
            same = read_journal(self.path) == self.recorded
        except OSError as error:
            raise NotSaved(f"{self.path} cannot be read: {reason(error)}") from error
        if not same:
            raise NotSaved(f"{self.path} has changed since it was read: open the page again")
        user = user_of(self.truth_path, journal.holds)
        if user:
            raise NotSaved(f"{self.truth_path.name} is being edited in {user}")

    def _keep(self, journal: Journal, is_complete: bool) -> Path | None:
        """Remove the journal, whose steps are elsewhere; keep it if some are not."""
        kept = None
        if not is_complete:
            kept = keep_damaged(self.path)
            if kept is None:
                return self.path
        journal.drop(self.path)
        return kept
