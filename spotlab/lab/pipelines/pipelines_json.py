"""A comparison of pipelines as JSON and as files: the layout of ``--json``, null if undefined."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spotlab.errors import NotSaved, reason
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import to_builtins
from spotlab.formats.votes.csv_votes import write_votes
from spotlab.lab.pipelines.entities.entity_finder import Entity
from spotlab.lab.pipelines.pipelines import MethodFigures, PipelineStudy, Table
from spotlab.representation import utf8

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
        "mean_of_pages": _table(figures.by_page, names),
        "truth": figures.truth and _table(figures.truth, names),
        "truth_mean_of_pages": figures.truth_by_page and _table(figures.truth_by_page, names),
        "kendall_tau": figures.kendall,
    }


def _table(table: Table, names: tuple[str, ...]) -> dict[str, dict[str, float]]:
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
