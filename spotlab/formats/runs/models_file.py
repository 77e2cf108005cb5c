"""The query models of a run, in a file beside it: ``run.csv`` has ``run.csv.models``, in JSON.

``{"models": [{"query": "sofa", "page": "plan_001", "points": "10,10 90,10 90,60"}]}``: where the
models were cropped from the pages that were searched. The run itself stays as other programs
know it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.files import is_missing
from spotlab.formats.rows.files import is_stream, write_atomically
from spotlab.formats.rows.json_values import Reader, load_object
from spotlab.formats.runs.format import ReadRun
from spotlab.formats.runs.tables.point_lists import format_point_lists, parse_point_list
from spotlab.geometry.outlines import Outlines
from spotlab.model.queries import QueryModel
from spotlab.model.run import Run
from spotlab.trust import own_file

SUFFIX = ".models"


def models_path(run_path: Path) -> Path:
    """The file beside a run that holds its models.

    Examples
    --------
    >>> models_path(Path("runs/mine.csv")).name
    'mine.csv.models'
    """
    return run_path.with_name(run_path.name + SUFFIX)


def write_models(run: Run, run_path: Path) -> None:
    """Write the models of a run beside it; without any, an old file of the run is removed.

    Raises
    ------
    NotSaved
        The file cannot be written.
    """
    if is_stream(run_path):
        return
    path = models_path(run_path)
    if not run.models:
        path.unlink(missing_ok=True)
        return
    rings = format_point_lists(Outlines.of([model.points for model in run.models]))
    rows = [
        {"query": model.query, "page": model.page, "points": ring}
        for model, ring in zip(run.models, rings, strict=True)
    ]
    content = json.dumps({"models": rows}, ensure_ascii=False, indent=1)
    write_atomically(own_file(path), content.encode("utf-8", "replace"))


def with_models(read: ReadRun, run_path: Path) -> ReadRun:
    """A run with the models beside it; a damaged file of them is remarked on.

    Parameters
    ----------
    read : ReadRun
        The run without them.
    run_path : Path
        Its file.
    """
    path = models_path(run_path)
    try:
        if is_missing(path):
            return read
        models = tuple(_models(path))
    except BadInput as error:
        return replace(read, remarks=(*read.remarks, f"query models are unknown: {error}"))
    return replace(read, run=replace(read.run, models=models))


def _models(path: Path) -> list[QueryModel]:
    reader = Reader(path)
    models = []
    for index, value in enumerate(reader.list_of(load_object(path, "query models"), "models")):
        place = f"models[{index}]"
        model = reader.object(value, place)
        try:
            ring = parse_point_list(reader.text(model, "points", place))
        except ValueError as error:
            raise reader.fail(str(error), f"{place}.points", "x,y x,y …") from error
        names = reader.text(model, "query", place), reader.text(model, "page", place)
        models.append(QueryModel(*names, tuple(ring)))
    return models
