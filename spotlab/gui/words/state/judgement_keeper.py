"""Keeps what a person says of found words in a file beside the pages, each word at once."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.files import is_missing
from spotlab.formats.lists.judgements import (
    JudgementFile,
    ReadJudgements,
    known_name,
    read_judgements,
)
from spotlab.formats.lists.place_lines import Place, place_of
from spotlab.gui.words.state.word_lists import Relevance, WordSource
from spotlab.trust import own_file

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

NAME = "judgements.csv"
_SAID = {1: True, 0: False, -1: None}


class JudgementKeeper:
    """Keeps the file of the open collection; the first judgement makes it.

    If it cannot be written, a message says so, and the judgement counts until the program ends.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._file: JudgementFile | None = None
        self._unsaved: dict[tuple[str, Place], int] = {}
        self._read: tuple[int, ReadJudgements] | None = None
        workbench.collection_changed.connect(self.close)

    @property
    def path(self) -> Path | None:
        """Where the file is, or will be; None without a collection."""
        folder = self._workbench.collection.folder
        return None if folder is None else folder / NAME

    def of(self, source: WordSource) -> Relevance:
        """(N,) what was said of a query's items: 1 relevant, 0 not, -1 nothing."""
        found = self._saved(source)
        if self._unsaved:
            for item in range(len(found)):
                key = (source.query, place_of(source.items, item))
                found[item] = self._unsaved.get(key, found[item])
        return found

    def judged(self) -> dict[str, dict[Place, bool]]:
        """What was said, by query and place, whether it could be written or not."""
        path = self.path
        known: Mapping[str, Mapping[Place, bool]] = {}
        with suppress(SpotlabError):  # it is said where a query's judgements are read
            if self._file is not None:
                known = self._file.judged
            elif path is not None and not is_missing(path):
                known = self._known(path)
        judged = {query: dict(own) for query, own in known.items()}
        for (query, place), value in self._unsaved.items():
            own = judged.setdefault(known_name(query, judged), {})
            own.pop(place, None)
            if value >= 0:
                own[place] = bool(value)
        return judged

    def rename(self, query: str, name: str, *, keep: bool = False) -> None:
        """Give what was said of a query to another name; ``keep``: to both."""
        path = self.path
        try:
            if path is not None and (self._file is not None or not is_missing(path)):
                self._file = self._file or JudgementFile(own_file(path))
                self._file.rename(query, name, keep=keep)
        except SpotlabError as error:
            self._workbench.said.emit(str(error), True)

    def _known(self, path: Path) -> Mapping[str, Mapping[Place, bool]]:
        """What the file says; read once as long as nobody changes it."""
        stamp = path.stat().st_mtime_ns
        if self._read is None or self._read[0] != stamp:
            self._read = stamp, read_judgements(path)
        return self._read[1].judged

    def _saved(self, source: WordSource) -> Relevance:
        path = self.path
        try:
            if self._file is not None:
                return self._file.of(source.query, source.items)
            if path is not None and not is_missing(path):
                return read_judgements(path).of(source.query, source.items)
        except SpotlabError as error:
            self._workbench.said.emit(str(error), True)
        return np.full(len(source.items), -1, np.int8)

    def keep(self, source: WordSource, items: NDArray[np.int64], values: Relevance) -> None:
        """Write down what is said of these items."""
        said = dict(zip(items.tolist(), values.tolist(), strict=True))
        keys = {item: (source.query, place_of(source.items, item)) for item in said}
        self._unsaved.update({keys[item]: value for item, value in said.items()})
        path = self.path
        if path is None:
            return
        try:
            if self._file is None:
                self._file = JudgementFile(own_file(path))
            for item, value in said.items():
                self._file.judge(source.query, source.items, item, _SAID[value])
                self._unsaved.pop(keys[item])
        except SpotlabError as error:
            self._workbench.said.emit(str(error), True)

    def close(self) -> None:
        """Let go of the file, and of what could not be written."""
        self._read = None
        self._unsaved = {}
        if self._file is not None:
            self._file.close()
            self._file = None
