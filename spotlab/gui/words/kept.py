"""What a view keeps of Words: the files whose lists are open.

Queries that were searched, and judgements, stand in files of their own beside the pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from spotlab.formats.rows.json_values import to_builtins
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.state.words import Words
from spotlab.gui.workspace.view_file import PathTexts
from spotlab.gui.workspace.window import Window
from spotlab.signal import Signal


class KeptWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """Files of lists and of relevance judgements.

    Attributes
    ----------
    files : tuple of tuple of str
        Those that were opened together, in the order in which they were opened.
    """

    files: tuple[tuple[str, ...], ...] = ()


def signals(workbench: Workbench) -> tuple[Signal[...], ...]:
    """The signals after which there is something else to keep."""
    return (workbench.state(Words).queries.changed,)


def take(window: Window, texts: PathTexts) -> dict[str, Any]:
    """What is kept, as JSON has it."""
    files = window.workbench.state(Words).imported.files
    kept = KeptWords(tuple(tuple(map(texts.text, paths)) for paths in files))
    values: dict[str, Any] = to_builtins(kept)
    return values


def give(window: Window, kept: KeptWords, texts: PathTexts) -> None:
    """Open these files again, and no lists of others, if there are any."""
    words = window.workbench.state(Words)
    files: list[tuple[Path, ...]] = [tuple(map(texts.path, paths)) for paths in kept.files]
    if not files or tuple(files) == words.imported.files:
        return
    for index, source in reversed(list(enumerate(words.queries.sources))):
        if source.imported is not None:
            words.close_source(index)
    for paths in files:
        words.imported.open(paths)
