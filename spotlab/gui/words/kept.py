"""Words state stored in a view: the files whose lists are open.

Queries that were searched, and judgements, stand in files of their own beside the pages.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from spotlab.gui.words.state.words import Words
from spotlab.gui.workspace.view_file import PathTexts
from spotlab.gui.workspace.window import Window
from spotlab.gui.workspace.workspace import KeptView


class KeptWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """Files of lists and of relevance judgements.

    Attributes
    ----------
    files : tuple of tuple of str
        Those that were opened together, in the order in which they were opened.
    """

    files: tuple[tuple[str, ...], ...] = ()


def take(window: Window, texts: PathTexts) -> KeptWords:
    """Return what is kept."""
    files = window.workbench.state(Words).imported.files
    kept = KeptWords(tuple(tuple(map(texts.text, paths)) for paths in files))
    return kept


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


KEPT = KeptView(KeptWords, take, give)
