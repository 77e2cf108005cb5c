"""The lists of the current query, made in a thread.

Judgements change the figures of the lists at once. Changes made while lists are being made lead to
one more run after that, so that a slider that moves on never waits for what is out of date.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spotlab.gui.kit.task import Task
from spotlab.gui.words.state.judgements import WordJudgements
from spotlab.gui.words.state.open_queries import OpenQueries
from spotlab.gui.words.state.word_lists import (
    USUAL,
    WordList,
    WordSource,
    feedback_of,
    judge_lists,
    make_lists,
)
from spotlab.model import RankedList
from spotlab.progress import Progress
from spotlab.ranking.fusion import Choices
from spotlab.signal import Signal
from spotlab.spotting.words.search import RE_SCORING

Made = tuple[tuple[str, RankedList], ...]


class WordRanking:
    """Makes the lists as they are chosen.

    Parameters
    ----------
    queries : OpenQueries
    judgements : WordJudgements

    Attributes
    ----------
    lists : tuple of WordList
        One a column.
    fusions : tuple of str
        Which lists are made.
    choices : Choices
    feedback : bool
        Whether judgements re-rank the lists.
    changed, choices_changed, busy_changed : Signal
        Emitted when there are other lists, other choices, and when making lists begins or ends.
    """

    def __init__(self, queries: OpenQueries, judgements: WordJudgements) -> None:
        self._queries, self._judgements = queries, judgements
        self.lists: tuple[WordList, ...] = ()
        self.fusions: tuple[str, ...] = USUAL
        self.choices = RE_SCORING
        self.feedback = True
        self.changed = Signal[[]]()
        self.choices_changed = Signal[[]]()
        self._making = Task(urgent=True)
        self.busy_changed = self._making.busy_changed
        self._made: Made = ()
        self._again = False
        judgements.changed.connect(self._follow_judgements)

    @property
    def busy(self) -> bool:
        """Whether lists are being made."""
        return self._making.busy

    def clear(self) -> None:
        """Show no lists."""
        self._made, self.lists = (), ()
        self.changed.emit()

    def cancel(self) -> None:
        """Stop making lists."""
        self._making.cancel()

    def set_hit_score(self, source: WordSource, before: WordSource | None) -> None:
        """Use the score of a sure hit of a query, unless the user has chosen another one."""
        if before is None or self.choices.at_least == before.at_least:
            self.choices = replace(self.choices, at_least=source.at_least)

    def start(self) -> None:
        """Make the lists of another query."""
        self.changed.emit()
        self.choices_changed.emit()
        self._make()

    def set_choices(self, choices: Choices) -> None:
        """Make the lists with other numbers."""
        self.choices = choices
        self.choices_changed.emit()
        self._make()

    def set_feedback(self, feedback: bool) -> None:
        """Set whether judgements re-rank the lists."""
        if feedback != self.feedback:
            self.feedback = feedback
            self.choices_changed.emit()
            self._make()

    def show_fusions(self, names: Sequence[str]) -> None:
        """Make these lists."""
        if tuple(names) != self.fusions:
            self.fusions = tuple(names)
            self.choices_changed.emit()
            self._make()

    def _follow_judgements(self) -> None:
        source = self._queries.current
        assert source is not None  # judgements are about its items
        self.lists = self._judged(source)
        if self.feedback:
            self._make()

    def _judged(self, source: WordSource) -> tuple[WordList, ...]:
        said = self._judgements
        return judge_lists(source, self._made, said.relevance, said.relevant)

    def _make(self) -> None:
        source = self._queries.current
        if source is None:
            return
        if self._making.busy:
            self._again = True
            return
        self._again = False
        names, choices = self.fusions, self.choices
        if self.feedback:
            choices = feedback_of(choices, self._judgements.judged)

        def work(progress: Progress) -> Made:
            return make_lists(source, names, choices, progress)

        def done(made: Made) -> None:
            if self._queries.current is source:
                self._made = made
                self.lists = self._judged(source)
                self.changed.emit()
            if self._again or self._queries.current is not source:
                self._make()

        self._making.start(work, done=done)
