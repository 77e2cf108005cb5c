"""Pipelines of binarisation, OCR and named entities, compared with and without truth.

Lamiroy & Sun (2013), §4.2: what the pipelines find on the same pages is turned into votes by two
methods, a bag of words and an alignment; precision and recall of each pipeline follow without truth
(Tables 5 and 6), beside those by truth (Table 4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.comparison import kendall
from spotlab.consensus.precision import (
    Consensus,
    consensus_of,
    figures_with_truth,
    gram_of,
    uniform_weights,
)
from spotlab.consensus.votes import Votes
from spotlab.errors import NotSaved, SpotlabError, counted, reason
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import to_builtins
from spotlab.formats.votes.csv_votes import write_votes
from spotlab.formats.votes.format import Method, VoteTable
from spotlab.formats.votes.texts import MOST_ALIGNED, items_of_tokens, words_of
from spotlab.lab.pipelines.entities.entity_finder import Entity, EntityFinder, Gazetteer
from spotlab.lab.pipelines.pipeline_texts import ReadPages
from spotlab.measures.agreement import mean_and_spread
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr, utf8
from spotlab.studies.tally.outlines import some

METHODS: tuple[Method, ...] = ("bag_of_words", "alignment")


@dataclass(frozen=True, eq=False)
class PipelineTable:
    """Figures of every pipeline; NaN where undefined.

    Attributes
    ----------
    precision, recall, f : (S,) float
    top : tuple of float
        The same of ⊤, which finds everything; NaN for a table by truth.
    """

    precision: Floats
    recall: Floats
    f: Floats
    top: tuple[float, float, float] = (np.nan, np.nan, np.nan)

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class MethodFigures:
    """Results of one method of turning texts into votes.

    Attributes
    ----------
    method : str
    votes : VoteTable
        What some pipeline found; this is what the consensus is of.
    consensus : Consensus
        Of all items, all weights being alike.
    by_page : PipelineTable
        The mean over pages of the consensus of each.
    truth, truth_by_page : PipelineTable or None
        By truth, of all items and as a mean over pages; what no pipeline found is missed. None
        without truth.
    kendall : float or None
        τ of F without truth and F by truth; None without truth, or where one says nothing.
    """

    method: Method
    votes: VoteTable
    consensus: Consensus
    by_page: PipelineTable
    truth: PipelineTable | None = None
    truth_by_page: PipelineTable | None = None
    kendall: float | None = None


@dataclass(frozen=True, eq=False)
class PipelineStudy:
    """Pipelines compared.

    Attributes
    ----------
    read : ReadPages
    finder : EntityFinder
    entities : mapping of str to mapping of str to list of Entity
        By page and pipeline.
    truth : mapping of str to list of Entity
        Those of the true texts, by page.
    methods : tuple of MethodFigures
    remarks : tuple of str
        What a person should know, a line each.
    """

    read: ReadPages
    finder: EntityFinder
    entities: Mapping[str, Mapping[str, list[Entity]]]
    truth: Mapping[str, list[Entity]]
    methods: tuple[MethodFigures, ...]
    remarks: tuple[str, ...]

    __repr__ = short_repr

    @property
    def pipelines(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(each.name for each in self.read.pipelines)


def compare_pipelines(
    read: ReadPages,
    finder: EntityFinder,
    truth: Mapping[str, str] | None = None,
    gazetteer: Gazetteer | None = None,
    methods: Sequence[Method] = METHODS,
    progress: Progress = silent,
) -> PipelineStudy:
    """Find entities in what pipelines have read, let them vote, and compare them.

    Parameters
    ----------
    read : ReadPages
    finder : EntityFinder
        Also finds the entities of the truth.
    truth : mapping of str to str, optional
        The true text of pages.
    gazetteer : Gazetteer, optional
    methods : sequence of str
        "bag_of_words" (Method I) and "alignment" (Method II).

    Raises
    ------
    SpotlabError
        Nothing is found anywhere, or a page has too many words to be aligned.

    Notes
    -----
    Two entities are the same if their words are, whatever stands between these and however they are
    written, small or large. Entities of a page that one pipeline could not read are unknown for it.
    """
    names = gazetteer or Gazetteer({})
    given = {page: text for page, text in (truth or {}).items() if page in read.texts}
    entities = {
        page: {pipeline: finder.find(text, names) for pipeline, text in texts.items()}
        for page, texts in track(read.texts.items(), progress, "finding entities")
        if texts
    }
    true = {page: finder.find(text, names) for page, text in given.items()}
    if not any(found for page in entities.values() for found in page.values()):
        raise SpotlabError("the pipelines found nothing that can be compared on any page")
    systems = tuple(each.name for each in read.pipelines)
    tokens = {
        page: [_tokens(found[name]) if name in found else None for name in systems]
        for page, found in entities.items()
    }
    true_tokens = {page: _tokens(found) for page, found in true.items()}
    figures = tuple(
        _figures(read, tokens, true_tokens, method, progress) for method in dict.fromkeys(methods)
    )
    remarks = [*read.problems, *_remarks(entities, given, systems, truth)]
    return PipelineStudy(read, finder, entities, true, figures, tuple(remarks))


def _figures(
    read: ReadPages,
    tokens: Mapping[str, Sequence[list[str] | None]],
    truth: Mapping[str, list[str]],
    method: Method,
    progress: Progress,
) -> MethodFigures:
    if method == "alignment":
        _see_that_they_are_short(tokens)
    systems = tuple(each.name for each in read.pipelines)
    found = items_of_tokens(tokens, truth, systems, method, True, progress)
    pages = np.array(found.pages)
    some = np.flatnonzero((found.votes.dense() == 1).any(axis=1))
    votes = found.votes.take(some)
    known = None if np.isnan(found.truth).all() else found.truth
    table = VoteTable(
        votes,
        tuple(found.items[item] for item in some),
        tuple(found.pages[item] for item in some),
        None if known is None else known[some],
        _factors(read),
        tuple(found.texts[item] for item in some),
        name=method,
    )
    consensus = consensus_of(gram_of(votes), uniform_weights(len(systems)))
    by_page = _mean(pages[some], lambda items: _table(votes.take(items)))
    if known is None:
        return MethodFigures(method, table, consensus, by_page)
    true = PipelineTable(*figures_with_truth(found.votes, known))
    true_by_page = _mean(
        np.where(np.isnan(known), "", pages),
        lambda items: PipelineTable(*figures_with_truth(found.votes.take(items), known[items])),
    )
    order = kendall(consensus.f, true.f)
    return MethodFigures(method, table, consensus, by_page, true, true_by_page, order)


def _table(votes: Votes) -> PipelineTable:
    found = consensus_of(gram_of(votes), uniform_weights(len(votes.systems)))
    precision, recall, f = (np.nan if value is None else value for value in found.top)
    return PipelineTable(found.precision, found.recall, found.f, (precision, recall, f))


def _mean(pages: NDArray[np.str_], table: Callable[[Ints], PipelineTable]) -> PipelineTable:
    """The mean over pages of each figure, where it is defined; items of page "" take no part."""
    tables = [table(np.flatnonzero(pages == page)) for page in sorted({*pages.tolist()} - {""})]
    means = [
        mean_and_spread(np.array([[*getattr(each, name), each.top[place]] for each in tables]))[0]
        for place, name in enumerate(("precision", "recall", "f"))
    ]
    precision, recall, f = (each[:-1] for each in means)
    top, *others = (float(each[-1]) for each in means)
    return PipelineTable(precision, recall, f, (top, others[0], others[1]))


def _tokens(entities: Sequence[Entity]) -> list[str]:
    found = (" ".join(words_of(entity.text)) for entity in entities)
    return [token for token in found if token]


def _factors(read: ReadPages) -> dict[str, tuple[str, ...]]:
    return {
        "ink": tuple(f"{each.ink.method}" for each in read.pipelines),
        "engine": tuple(each.reader.name for each in read.pipelines),
    }


def _see_that_they_are_short(tokens: Mapping[str, Sequence[list[str] | None]]) -> None:
    for page, found in tokens.items():
        longest = max(len(each or ()) for each in found)
        if longest > MOST_ALIGNED:
            raise SpotlabError(
                f"{page}: {longest:,} entities are too many to be aligned; the limit is "
                f"{MOST_ALIGNED:,}. The method bag_of_words has no limit"
            )


def _remarks(
    entities: Mapping[str, Mapping[str, list[Entity]]],
    given: Mapping[str, str],
    systems: Sequence[str],
    truth: Mapping[str, str] | None,
) -> list[str]:
    found = [
        f"{name} has found nothing on any page"
        for name in systems
        if not any(page.get(name) for page in entities.values())
    ]
    if truth is None:
        return found
    without = [page for page in entities if page not in given]
    if without:
        found.append(f"no true text of {counted(len(without), 'page')}: {some(without)}")
    unused = [page for page in truth if page not in given]
    if unused:
        found.append(f"true texts that belong to none of the pages: {some(unused)}")
    return found


MEASURES = ("precision", "recall", "f")
TEXTS, ENTITIES = "texts", "entities"  # folders of what is kept


def as_json(study: PipelineStudy) -> Any:
    """The study as what `json.dumps` takes, without NaN."""
    return to_builtins(
        {
            "pages": list(study.entities),
            "pipelines": [
                {
                    "name": each.name,
                    "ink": each.ink.method,
                    "engine": each.reader.name,
                    "language": each.language,
                    "entities": sum(
                        len(page.get(each.name, ())) for page in study.entities.values()
                    ),
                }
                for each in study.read.pipelines
            ],
            "entities": study.finder.name,
            "true_entities": {page: len(found) for page, found in study.truth.items()},
            "methods": {each.method: _method(each, study.pipelines) for each in study.methods},
            "remarks": study.remarks,
        }
    )


def _method(figures: MethodFigures, names: tuple[str, ...]) -> dict[str, Any]:
    consensus = figures.consensus
    pooled = {
        name: {
            **{each: getattr(consensus, each)[place] for each in MEASURES},
            "rank": int(consensus.rank[place]),
        }
        for place, name in enumerate(names)
    }
    return {
        "items": len(figures.votes),
        "expected_relevant": consensus.expected_relevant,
        "systems": pooled,
        "top": dict(zip(MEASURES, consensus.top, strict=True)),
        "mean_of_pages": _table_json(figures.by_page, names),
        "truth": figures.truth and _table_json(figures.truth, names),
        "truth_mean_of_pages": figures.truth_by_page and _table_json(figures.truth_by_page, names),
        "kendall_tau": figures.kendall,
    }


def _table_json(table: PipelineTable, names: tuple[str, ...]) -> dict[str, dict[str, float]]:
    return {
        name: {each: getattr(table, each)[place] for each in MEASURES}
        for place, name in enumerate(names)
    }


def write_pipelines(study: PipelineStudy, folder: Path) -> None:
    """Write entities, a line each, a file a page, and votes, a table a method, to a folder.

    Raises
    ------
    NotSaved
        Something could not be written.
    """
    for page, found in study.entities.items():
        for name, entities in found.items():
            _write(folder / ENTITIES / name / f"{page}.txt", entities)
    for page, true in study.truth.items():
        _write(folder / ENTITIES / "truth" / f"{page}.txt", true)
    for each in study.methods:
        write_votes(each.votes, folder / f"votes-{each.method}.csv")


def _write(path: Path, entities: list[Entity]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{path} was not saved: {reason(error)}") from error
    write_atomically(path, utf8("".join(f"{entity.text}\n" for entity in entities)))
