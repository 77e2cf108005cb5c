"""What is written where on the pages, as far as somebody says it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spotlab.errors import BadArgument, BadInput
from spotlab.formats.collection.folder import PageEntry
from spotlab.model.ranked_list import Items
from spotlab.progress import Progress
from spotlab.studies.words.word_truth import read_words


def known_words(
    entries: Sequence[PageEntry], truth: Sequence[Path], needed: bool, progress: Progress
) -> Items | None:
    """What is written where; None where nobody says it and nobody has to.

    Parameters
    ----------
    entries : sequence of PageEntry
        The pages; truth beside them may have words.
    truth : sequence of Path
        Files with words, instead of that.
    needed : bool
        Whether there have to be words.
    progress : Progress

    Raises
    ------
    BadArgument
        There are none, and there have to be.

    Examples
    --------
    >>> from spotlab.progress import silent
    >>> known_words([], [], False, silent) is None
    True
    """
    if truth:
        return read_words(truth, progress)
    beside = [entry.truth_path for entry in entries if entry.has_truth]
    if not beside:
        if needed:
            raise BadArgument(
                "there are no transcriptions of the pages; give PAGE XML with words as `truth`"
            )
        return None
    try:
        return read_words(beside, progress)
    except BadInput:
        if needed:
            raise
        return None
