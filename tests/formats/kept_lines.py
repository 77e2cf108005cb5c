"""Files of lines as a window keeps them, for tests: each change is written at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from spotlab.formats.lists.kept_lines import (
    JUDGEMENTS,
    QUERIES,
    ListedQuery,
    ReadJudgements,
    by_query,
    with_judgement,
    with_name,
)
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.formats.votes.answers import ANSWERS, ItemAnswer
from spotlab.model.ranked_list import Items


class KeptLines:
    """A file that is read, and written after each change."""

    form: Any

    def __init__(self, path: Path | str) -> None:
        self.file: SharedFile[Mapping[Any, Any]] = SharedFile(Path(path), self.form)
        self.file.look()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def set(self, values: Mapping[Any, Any]) -> None:
        before = self.file.value
        self.file.set(values, before)
        self.file.write()


class KeptJudgements(KeptLines):
    form = JUDGEMENTS

    def judge(self, query: str, items: Items, item: int, judgement: bool | None) -> None:
        self.set(with_judgement(self.file.value, query, items, item, judgement))

    def rename(self, query: str, name: str, *, keep: bool = False) -> None:
        self.set(with_name(self.file.value, query, name, keep=keep))

    def of(self, query: str, items: Items) -> Any:
        return ReadJudgements(by_query(self.file.value)).of(query, items)


class KeptQueries(KeptLines):
    form = QUERIES

    def put(self, query: ListedQuery) -> None:
        self.set({**self.file.value, query.place: query})

    def remove(self, query: ListedQuery) -> None:
        self.set({place: q for place, q in self.file.value.items() if place != query.place})


class KeptAnswers(KeptLines):
    form = ANSWERS

    def answer(
        self, item: str, relevant: bool | None, inclusion: float | None = None, number: int = 0
    ) -> None:
        others = {name: said for name, said in self.file.value.items() if name != item}
        self.set(
            others
            if relevant is None
            else {**others, item: ItemAnswer(relevant, inclusion, number)}
        )

    @property
    def said(self) -> Mapping[str, ItemAnswer]:
        return self.file.value
