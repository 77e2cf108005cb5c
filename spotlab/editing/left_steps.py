"""Steps in a journal that this user's spotlab has not signed are taken only when asked to.

Such a journal comes with a folder: from a colleague whose program was killed, from spotlab before
0.28, which signed nothing, or from somebody who wants these steps to be taken unseen. It stays as
it is until somebody has decided; what is drawn meanwhile goes to the other place for the journal.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from spotlab.editing.document import Document
from spotlab.editing.history import History
from spotlab.editing.journal import Journal, Recorded, journal_path, read_journal, user_of
from spotlab.editing.recovery import changed_text, replay, summary_text, write_apart
from spotlab.errors import NotSaved, reason
from spotlab.formats.rows.files import keep_damaged


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
