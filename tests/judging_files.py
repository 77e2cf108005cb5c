"""Truth and runs of a few boxes, written to files, for tests of what judges runs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image

from spotlab.cli import root
from spotlab.formats.runs import ReadRun, read_run
from spotlab.formats.truth import page_xml
from spotlab.model import Page, Region, Truth
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.evaluate.evaluation import Evaluation
from spotlab.studies.tally.truth import read_truths

SIDE = 100  # px, of every page


def box(label: str, left: float, top: float, right: float, bottom: float) -> Region:
    return Region(((left, top), (right, top), (right, bottom), (left, bottom)), label)


def write_truth(folder: Path, name: str, *regions: Region) -> Path:
    folder.mkdir(exist_ok=True)
    image = folder / f"{name}.png"
    Image.new("1", (SIDE, SIDE), 1).save(image)
    truth = Truth(Page(image, SIDE, SIDE), regions)
    image.with_suffix(".xml").write_bytes(
        page_xml.serialise(truth, datetime(2024, 5, 1, tzinfo=UTC))
    )
    return image.with_suffix(".xml")


def points(left: float, top: float, right: float, bottom: float) -> str:
    return f"{left:g},{top:g} {right:g},{top:g} {right:g},{bottom:g} {left:g},{bottom:g}"


def write_run(path: Path, *rows: Sequence[object]) -> Path:
    """Rows of query, page, score, points."""
    lines = ["query,page,score,points"]
    lines += [f'{query},{page},{score},"{outline}"' for query, page, score, outline in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


def judged(folder: Path, *runs: Path, **options: object) -> Evaluation:
    read: list[ReadRun] = [read_run(path) for path in runs]
    return evaluate(read_truths([folder]), read, **{"draws": 0, **options})  # type: ignore[arg-type]


def command(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        root.main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


def write_small(folder: Path) -> tuple[Path, Path]:
    """Two pages and a run, all of whose figures can be worked out by hand.

    Sofas: one of 400 px² on each page. The run's first spot covers the right half of the one on
    page one, and 200 px² beside it; its second lies in the first, so that nothing is new; its third
    is beside everything, 100 px². Beds: one, not searched. Lamps: searched, not in the truth.
    """
    truth = folder / "truth"
    write_truth(truth, "one", box("sofa", 10, 10, 30, 30), box("bed", 60, 60, 80, 80))
    write_truth(truth, "two", box("sofa", 10, 10, 30, 30))
    run = write_run(
        folder / "run.csv",
        ("sofa", "one", 0.9, points(20, 10, 40, 30)),
        ("sofa", "one.png", 0.8, points(20, 10, 40, 20)),
        ("sofa", "two", 0.7, points(80, 80, 90, 90)),
        ("lamp", "two", 0.5, points(0, 0, 10, 10)),
        ("sofa", "three", 0.6, points(0, 0, 10, 10)),
    )
    return truth, run
