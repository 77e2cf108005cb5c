"""What a run's tooltip says of the models of its queries, with their pictures."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from spotlab.errors import counted
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.task import Task
from spotlab.measures.figures import RunFigures
from spotlab.model.run import Run
from spotlab.report.figure_text import written
from spotlab.report.images import ModelCrop, model_crops
from spotlab.studies.evaluate.inspected_run import InspectedRun
from spotlab.studies.tally.remarks import BOTH

SHOWN = 12  # pictures


class ModelTips:
    """Pictures are cut out in the background when a run with models is first seen.

    Parameters
    ----------
    inspection : Inspection
    """

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection
        self._crops: WeakKeyDictionary[Run, Sequence[ModelCrop]] = WeakKeyDictionary()
        self._task = Task()

    @property
    def busy(self) -> bool:
        """Whether pictures are being cut out."""
        return self._task.busy

    def follow(self) -> None:
        """Look for runs whose models have no pictures yet."""
        if self._task.busy:
            return
        for run in self._inspection.runs:
            if run.models and run.run not in self._crops:
                self._start(run)
                return

    def of(self, run: InspectedRun) -> list[str]:
        """Paragraphs on the models of a run, as HTML; none where it has no models."""
        number = sum(map(len, run.models.values()))
        with_models = run.with_models
        if not number or run.figures is None or with_models is None:
            return []
        text = (
            f"{counted(number, 'query model')} left out: {_figures(run.figures)}<br>"
            f"with {'it' if number == 1 else 'them'}: {_figures(with_models)}"
        )
        crops = [crop for crop in self._crops.get(run.run, ()) if crop.png is not None]
        more = f" and {number - len(crops):,} more" if 0 < len(crops) < number else ""
        images = " ".join(map(_image, crops))
        return [text, f"{images}{more}"] if crops else [text]

    def _start(self, run: InspectedRun) -> None:
        truths = {name: self._inspection.runs.truth.of(name) for name in run.models}
        pages = {name: truth.page for name, truth in truths.items() if truth is not None}
        key, models = run.run, run.models

        def done(crops: Sequence[ModelCrop]) -> None:
            self._crops[key] = crops
            self.follow()

        self._task.start(lambda progress: model_crops(pages, models, progress, SHOWN), done=done)


def _figures(figures: RunFigures) -> str:
    return ", ".join(f"{name} {written(figures.mean[key])}" for key, name in BOTH.items())


def _image(crop: ModelCrop) -> str:
    assert crop.png is not None
    width, height = crop.size
    data = base64.b64encode(crop.png).decode()
    said = html.escape(f"{crop.query} on {crop.page}", quote=True)
    size = f'width="{(width + 1) // 2}" height="{(height + 1) // 2}"'
    return f'<img src="data:image/png;base64,{data}" {size} alt="{said}">'
