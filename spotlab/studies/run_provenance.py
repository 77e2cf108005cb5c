"""What made the runs of the embedded spotters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from spotlab.studies.provenance import provenance_of

if TYPE_CHECKING:
    from spotlab.formats.collection.folder import PageEntry
    from spotlab.spotting.symbols.engine.query_model import SymbolModel
    from spotlab.spotting.words.query import WordQuery


def symbol_provenance(
    method: str,
    models: Iterable[SymbolModel],
    entries: Iterable[PageEntry],
    labels: Iterable[str] = (),
    **settings: object,
) -> dict[str, str]:
    """What made a run of symbols; see `provenance_of`. Labels may be searched without models."""
    ink: dict[str, bytes] = dict.fromkeys(labels, b"")
    for model in models:
        shape = ",".join(map(str, model.ink.shape))
        ink[model.name] = ink.get(model.name, b"") + shape.encode() + model.ink.tobytes()
    pages = [entry.image for entry in entries]
    return provenance_of("spot symbols", method, settings, pages=pages, queries=ink)


def word_provenance(
    queries: Sequence[WordQuery], entries: Iterable[PageEntry], **settings: object
) -> dict[str, str]:
    """What made runs of words, whose method is the list that they are; see `provenance_of`."""
    asked: dict[str, bytes] = {}
    for query in queries:
        name = query.text or f"{query.page}:{query.box}"
        asked[name] = repr((query.text, query.page, query.box)).encode()
    pages = [entry.image for entry in entries]
    return provenance_of("spot words", "", settings, pages=pages, queries=asked)
