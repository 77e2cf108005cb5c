"""Predictions in an export of Label Studio: the detections of a model, beside the annotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from spotlab.errors import BadInput, counted
from spotlab.formats.page.foreign_shapes import Ids
from spotlab.formats.rows.json_values import Reader
from spotlab.formats.rows.reading import Consequence, Reading
from spotlab.formats.runs.format import Naming, ReadRun
from spotlab.formats.runs.gather import Gathered, add_rows, find_columns
from spotlab.formats.truth.label_studio import SHAPES, LabelTask

_LISTS = ("annotations", "predictions")
_COLUMNS = ("query", "page", "score", "points")


def tasks_in(content: Any) -> list[dict[str, Any]]:
    """The tasks of Label Studio in a file of JSON; none where it is something else.

    Parameters
    ----------
    content : object
        Values as JSON has them.

    Examples
    --------
    >>> len(tasks_in({"data": {"image": "plan.png"}, "predictions": [{"result": []}]}))
    1
    >>> tasks_in([{"image_id": 1, "category_id": 1}])
    []
    """
    given = _objects(content if isinstance(content, list) else [content])
    tasks = [each for each in given if isinstance(each.get("data"), dict)]
    lists = [task[key] for task in tasks for key in _LISTS if isinstance(task.get(key), list)]
    return tasks if any(_has_results(each) for several in lists for each in several) else []


def _has_results(value: Any) -> bool:
    """Tell whether this is an annotation or prediction, or the number of one."""
    return isinstance(value, int) or (isinstance(value, dict) and "result" in value)


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def read_predictions(
    tasks: Sequence[dict[str, Any]], path: Path, naming: Naming, remarks: Sequence[str] = ()
) -> ReadRun:
    """The run that the predictions in tasks are, those of the latest model where there are several.

    Parameters
    ----------
    tasks : sequence of dict
    path : Path
        The file that they are from.
    naming : Naming
        Knows the sizes of pages, of which Label Studio's coordinates are per cent.
    remarks : sequence of str

    Raises
    ------
    BadInput
        There are no predictions, or none can be read.
    """
    by_model: dict[str, str] = {}
    for each in (each for task in tasks for each in _objects(task.get("predictions"))):
        model = _model(each)
        by_model[model] = max(by_model.get(model, ""), _moment(each))
    if not by_model:
        problem = "its tasks have no predictions, and annotations are truth"
        raise BadInput(path, problem, expected="predictions with scores")
    latest = max(by_model, key=lambda model: by_model[model])
    gathered = Gathered(path, naming=naming)
    gathered.remarks += remarks
    others = sorted(by_model.keys() - {latest})
    if others:
        left = ", ".join(map(repr, others))
        gathered.remarks.append(f"the predictions of {latest!r} are read, not those of {left}")
    found = _Predictions(Reader(path), naming, latest)
    rows = [row for index, task in enumerate(tasks) for row in found.rows(task, f"[{index}]")]
    for finding in found.reading.findings:
        if finding.kind is not Consequence.LEFT_OUT:
            gathered.remarks.append(str(finding))
            continue
        expected = f"; expected {finding.expected}" if finding.expected else ""
        more = f" ({counted(finding.count, 'result')})" if finding.count > 1 else ""
        gathered.bad(0, f"{finding.problem}{expected}{more}", finding.place)
    error = found.reading.findings.first_error
    if not rows and error is not None:
        raise error
    columns = find_columns(_COLUMNS, gathered, "entry 1")
    add_rows(rows, np.arange(1, len(rows) + 1), columns, gathered, "result")
    return gathered.finish("result")


def _model(prediction: dict[str, Any]) -> str:
    return str(prediction.get("model_version") or "")


def _moment(prediction: dict[str, Any]) -> str:
    return str(prediction.get("updated_at") or prediction.get("created_at") or "")


@dataclass(frozen=True)
class _Predictions:
    """Takes predictions of a model apart into rows, one for each outline."""

    reader: Reader
    naming: Naming
    model: str
    reading: Reading = field(default_factory=Reading)

    def rows(self, task: dict[str, Any], place: str) -> Iterator[list[str]]:
        """The rows of a task."""
        given = [each for each in _objects(task.get("predictions")) if _model(each) == self.model]
        if not given:
            return
        _, prediction = max(enumerate(given), key=lambda each: (_moment(each[1]), each[0]))
        if len(given) > 1:
            what = "earlier prediction of a task: the latest is read"
            self.reading.remark(self.reader.path, what, place, len(given) - 1)
        with self.reading.item():
            only = {"data": task["data"], "predictions": [prediction]}
            parsed = LabelTask(self.reader, only, place, self.reading)
            for number in range(len(parsed.images)):
                with self.reading.item():
                    yield from self._rows_of_page(parsed, number, prediction.get("score"))

    def _rows_of_page(self, task: LabelTask, number: int, score: Any) -> Iterator[list[str]]:
        image = task.images[number]
        shapes = [each for each in task.results_on(number) if task.kind_of(each) in SHAPES]
        if not shapes:
            return
        size = self.naming.size_of(image) or task.size(image, shapes, self.reading)
        for shape in shapes:
            with self.reading.item():
                region = task.region(shape, size, Ids())
                own = shape.get("score")
                value = score if own is None else own
                points = " ".join(f"{x},{y}" for x, y in region.points)
                yield [region.label, image, "" if value is None else str(value), points]
