"""A program that changes a shared file again and again, for tests: ``KIND PATH``, names by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from spotlab.errors import SpotlabError
from spotlab.formats.collection.label_file import NAME, CollectionFile, open_collection_file
from spotlab.formats.lists.kept_lines import JUDGEMENTS, QUERIES, ListedQuery, typed_place
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.formats.votes.answers import ANSWERS, ItemAnswer

LOCK = "lock it"  # a name that locks the label set


@dataclass(frozen=True)
class Kind:
    """How a shared file is opened, and how a name gets into its value and out of it."""

    file_name: str
    open: Callable[[Path], SharedFile[Any]]
    with_name: Callable[[Any, str], Any]
    names: Callable[[Any], Iterable[str]]


def _settings(path: Path) -> SharedFile[Any]:
    from spotlab.gui.kit.settings import SettingsForm  # noqa: PLC0415 - the others need no window

    return SharedFile(path, SettingsForm(), makes_folder=True)


def _labelled(value: CollectionFile, name: str) -> CollectionFile:
    return replace(value, labels=value.labels.with_label(name))


def _locked(value: CollectionFile, name: str) -> CollectionFile:
    if name.startswith(LOCK):
        return replace(value, labels=replace(value.labels, locked=True))
    return replace(value, values={**value.values, name: {"of": "a plug-in"}})


KINDS = {
    "labels": Kind(
        NAME,
        lambda path: open_collection_file(path.parent),
        _labelled,
        lambda value: (label.name for label in value.labels),
    ),
    "lock": Kind(
        NAME,
        lambda path: open_collection_file(path.parent),
        _locked,
        lambda value: (*value.values, *([LOCK] * value.labels.locked)),
    ),
    "settings": Kind(
        "settings.json", _settings, lambda value, name: {**value, name: 1}, lambda value: value
    ),
    "queries": Kind(
        "queries.csv",
        lambda path: SharedFile(path, QUERIES, beside_data=True),
        lambda value, name: {**value, typed_place(name): ListedQuery(name, typed_place(name))},
        lambda value: (query.text for query in value.values()),
    ),
    "judgements": Kind(
        "judgements.csv",
        lambda path: SharedFile(path, JUDGEMENTS, beside_data=True),
        lambda value, name: {**value, (name, ("page", 1.0, 2.0, 3.0, 4.0)): True},
        lambda value: (query for query, _ in value),
    ),
    "answers": Kind(
        "answers.csv",
        lambda path: SharedFile(path, ANSWERS, beside_data=True),
        lambda value, name: {**value, name: ItemAnswer(True)},
        lambda value: value,
    ),
}


def main() -> None:
    """Say of each name, when it is in the file or in the state folder, that it is safe."""
    kind = KINDS[sys.argv[1]]
    file = kind.open(Path(sys.argv[2]))
    file.take_over()
    print("ready", flush=True)
    for line in sys.stdin:
        name, before = line.strip(), file.value
        file.set(kind.with_name(before, name), before)
        with suppress(SpotlabError):
            file.write()
        print(name if file.is_safe else "", flush=True)


if __name__ == "__main__":
    main()
