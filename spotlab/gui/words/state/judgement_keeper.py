"""Keeps what a person says of found words in a file beside the pages, each word at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.judgements import (
    JUDGEMENTS,
    Judged,
    ReadJudgements,
    by_query,
    with_judgement,
    with_name,
)
from spotlab.formats.lists.place_lines import Place
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.gui.kit.kept_file import ON_DISK, KeptFile
from spotlab.gui.words.state.word_lists import Relevance, WordSource
from spotlab.signal import Signal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

NAME = "judgements.csv"
_SAID = {1: True, 0: False, -1: None}


class JudgementKeeper:
    """Keeps the file of the open collection; the first judgement makes it.

    If it cannot be written, a message says so, and it is tried again.

    Attributes
    ----------
    changed : Signal
        Another window has judged, or another collection is open.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._file: KeptFile[Judged] | None = None
        self._alone: Judged = {}  # without a collection
        self._grouped: tuple[Judged, ReadJudgements] | None = None
        self.changed = Signal[[]]()
        workbench.collection_changed.connect(self._use)
        self._use()

    @property
    def path(self) -> Path | None:
        """Where the file is, or will be; None without a collection."""
        folder = self._workbench.collection.folder
        return None if folder is None else folder / NAME

    def of(self, source: WordSource) -> Relevance:
        """(N,) what was said of a query's items: 1 relevant, 0 not, -1 nothing."""
        return self._by_query().of(source.query, source.items)

    def judged(self) -> dict[str, dict[Place, bool]]:
        """What was said, by query and place, whether it could be written or not."""
        return {query: dict(own) for query, own in self._by_query().judged.items()}

    def rename(self, query: str, name: str, *, keep: bool = False) -> None:
        """Give what was said of a query to another name; ``keep``: to both."""
        self._set(with_name(self._value, query, name, keep=keep))

    def keep(self, source: WordSource, items: NDArray[np.int64], values: Relevance) -> None:
        """Write down what is said of these items."""
        judged = self._value
        for item, value in zip(items.tolist(), values.tolist(), strict=True):
            judged = with_judgement(judged, source.query, source.items, item, _SAID[value])
        self._set(judged)

    @property
    def _value(self) -> Judged:
        return self._alone if self._file is None else self._file.value

    def _set(self, judged: Judged) -> None:
        if self._file is None:
            self._alone = judged
        else:
            self._file.set(judged)

    def _by_query(self) -> ReadJudgements:
        judged = self._value
        if self._grouped is None or self._grouped[0] is not judged:
            self._grouped = judged, ReadJudgements(by_query(judged))
        return self._grouped[1]

    def _use(self) -> None:
        """Another collection is open: what was said of its words comes back."""
        if self._file is not None:
            self._file.close()
        self._file, self._alone = None, {}
        path = self.path
        if path is not None:
            file: SharedFile[Judged] = SharedFile(path, JUDGEMENTS, beside_data=True)
            self._file = KeptFile(file, self._workbench.said.emit, waits=ON_DISK)
            self._file.changed.connect(self.changed.emit)
            self._file.open()
        self.changed.emit()
