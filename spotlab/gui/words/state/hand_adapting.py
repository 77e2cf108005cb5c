"""Adapts the network for words to the open pages, in a process of its own, and takes it back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spotlab.errors import SpotlabError, counted
from spotlab.files import is_file
from spotlab.gui.kit.background import Task
from spotlab.gui.words.state.queries import KeptQueries
from spotlab.gui.words.state.ranking import JudgementKeeper
from spotlab.gui.words.state.word_search import WordSearching, known_words
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.spotting.words.feature_space import (
    Adaptation,
    adaptation_of,
    adapted_file,
    remove_adapted,
    share_text,
)

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench
    from spotlab.studies.words.adapting import AdaptedHand

MINUTES = 1.0


@dataclass(frozen=True)
class HandChoices:
    """Choices of the user for adapting to a hand.

    Attributes
    ----------
    minutes : float
        min; for learning.
    words : Path or None
        A list of words; None for that of the language by which pages are read.
    """

    minutes: float = MINUTES
    words: Path | None = None


class HandAdapting:
    """Starts, cancels and undoes adapting.

    Attributes
    ----------
    adaptation : Adaptation or None
        That of the open pages; None where there is none, or its file cannot be read.
    changed : Signal
        There is another one, or none any more.
    """

    def __init__(
        self,
        workbench: Workbench,
        searching: WordSearching,
        query_list: KeptQueries,
        keeper: JudgementKeeper,
    ) -> None:
        self._workbench, self._searching = workbench, searching
        self._query_list, self._keeper = query_list, keeper
        self.adaptation: Adaptation | None = None
        self.changed = Signal[[]]()
        self._task = Task(workbench)
        self._reading = Task(say=workbench.said.emit)
        self.busy_changed = self._task.busy_changed
        workbench.collection_changed.connect(self._open)
        self._read()  # pages may be open already

    @property
    def busy(self) -> bool:
        """Tell whether a network is being adapted."""
        return self._task.busy

    @property
    def file(self) -> Path | None:
        """Tell where the adapted network is, or will be; None without pages."""
        return adapted_file(self._workbench.entries)

    @property
    def is_adapted(self) -> bool:
        """Tell whether there is an adapted network, whole or not."""
        return self._is_adapted

    def start(self, choices: HandChoices) -> None:
        """Adapt the network; what was judged until now is certain."""
        entries, searching = self._workbench.entries, self._searching
        if not entries:
            return
        judged = self._keeper.judged()
        queries, given, settings = self._query_list.listed, searching.given, searching.settings
        cache, language = searching.cache, searching.language

        def work(progress: Progress) -> AdaptedHand:
            from spotlab.learning.words.hand.adapting import AdaptingSettings  # noqa: PLC0415
            from spotlab.spotting.words.readings import wanted_lexicon  # noqa: PLC0415
            from spotlab.studies.words.adapting import adapt_in_process  # noqa: PLC0415
            from spotlab.studies.words.transcription import texts_of  # noqa: PLC0415

            words = known_words(entries, progress)
            arguments: dict[str, Any] = {
                "entries": entries,
                "known": texts_of(words, queries, judged),
                "lexicon": wanted_lexicon(choices.words, language),
                "words": settings,
                "boxes": words if given else None,
                "settings": AdaptingSettings(choices.minutes),
                "cache": cache,
            }
            return adapt_in_process(arguments, progress)

        self._task.start(work, done=self._done)

    def cancel(self) -> None:
        """Give up; the words are described as before."""
        self._task.cancel()

    def undo(self) -> None:
        """Describe words by the network as it came again."""
        file = self.file
        try:
            if file is None or not remove_adapted(file):
                return
        except SpotlabError as error:
            self._workbench.said.emit(str(error), True)
            return
        self._workbench.said.emit("Words are described by the network as it came again", False)
        self._renew()

    def _done(self, made: AdaptedHand) -> None:
        said = gains_text(made.adaptation)
        if made.kept:
            self._workbench.said.emit(f"Adapted to this hand: {said}", False)
            self._renew()
        else:
            text = f"Not adapted, as known words were not found better: {said}"
            self._workbench.said.emit(text, True)

    def _renew(self) -> None:
        """Words are described by another network: what is open is searched anew."""
        self._read()
        self._searching.renew()

    def _open(self) -> None:
        self._task.cancel()
        self._read()

    def _read(self) -> None:
        self._set((False, None))
        file = self.file
        if file is not None:
            self._reading.start(_read_adaptation, file, done=self._set)

    def _set(self, read: tuple[bool, Adaptation | None]) -> None:
        self._is_adapted, self.adaptation = read
        self.changed.emit()


def gains_text(adaptation: Adaptation) -> str:
    """Return what adapting brought, in figures.

    Examples
    --------
    >>> gains_text(Adaptation("2026-11-23", 1500, 40, 9, {"typed": 0.8}, {"typed": 0.9}))
    'typed .800 → .900, by 9 known words that were held out'
    >>> gains_text(Adaptation("2026-11-23", 1500, 0))
    'learned from 1,500 words; too few are known to tell whether they are found better'
    """
    if not adaptation.gains:
        return (
            f"learned from {counted(adaptation.learned, 'word')}; too few are known to tell "
            "whether they "
            "are found better"
        )
    gains = ", ".join(
        f"{name} {share_text(then)} → {share_text(now)}"
        for name, (then, now) in adaptation.gains.items()
    )
    return f"{gains}, by {adaptation.held_out:,} known words that were held out"


def _read_adaptation(file: Path, progress: Progress) -> tuple[bool, Adaptation | None]:
    """Return whether there is an adapted network, and what is noted in it if it is whole."""
    if not is_file(file):
        return False, None
    from spotlab.spotting.networks import metadata_of  # noqa: PLC0415

    progress(0, None, "reading")
    try:
        return True, adaptation_of(metadata_of(file.read_bytes()))
    except (OSError, ValueError, IndexError):
        return True, None  # searching says what is wrong with it
