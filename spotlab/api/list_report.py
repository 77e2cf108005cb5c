"""The report on re-ranked lists."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spotlab.errors import counted
from spotlab.formats.collection.folder import PageEntry
from spotlab.imaging.reading.crops import WordCrops
from spotlab.studies.words.ranked_lists import Reranking
from spotlab.studies.words.studied_queries import studied


def write_report(
    result: Reranking, images: Sequence[PageEntry], remarks: Sequence[str], folder: Path
) -> Path:
    """Write means over queries, curves and sheets of words; gives the page.

    Parameters
    ----------
    result : Reranking
    images : sequence of PageEntry
        The pages of the words; without them there are no pictures.
    remarks : sequence of str
        What a person should know of what was read.
    folder : path

    Raises
    ------
    NotSaved
        It cannot be written.
    """
    from spotlab.report.words import WordReport, write_words  # noqa: PLC0415 - takes long

    choices = result.choices
    crops = WordCrops({entry.name: (entry.image, entry.frame) for entry in images})
    settings = (
        f"Fusions: {', '.join(fusion.title for fusion in result.fusions) or 'none'}",
        f"Re-scored by at most {counted(choices.top, 'item')} that score "
        f"{choices.at_least:g} or more",
        f"Weight of a re-scoring item: score to the power of {choices.weight:g}; "
        f"repeated {counted(choices.iterations, 'time')}",
    )
    queries = [studied(query) for query in result.queries]
    threshold = f"at a score of {result.threshold:g}"
    return write_words(WordReport(queries, threshold, crops.crop, settings, remarks), folder)
