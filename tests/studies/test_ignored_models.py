"""Query models are ignored in the evaluation of the runs that were made with them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import spotlab
from spotlab.cli.root import main
from spotlab.formats.runs import ReadRun, write_csv, write_parquet
from spotlab.formats.runs.reading import read_run
from spotlab.formats.runs.side_files import models_path
from spotlab.geometry.polygon import Outlines
from spotlab.model import Ignore, Page, QueryModel, Region, Run, Truth
from spotlab.progress import silent
from spotlab.resources import sample_collection
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.evaluate.evaluation import Evaluation
from spotlab.studies.evaluate.evaluation_json import as_json
from spotlab.studies.evaluate.inspected_run import (
    InspectedRun,
    Judging,
    retally_page,
    tally_inspected_run,
)
from spotlab.studies.tally.tallying import without_uncertain
from spotlab.studies.tally.truth import TruthSet

Ring = tuple[tuple[float, float], ...]


def box(left: float, top: float, right: float, bottom: float) -> Ring:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def bed(left: float, **values: object) -> Region:
    return Region(box(left, 0, left + 10, 10), "bed", f"r{left:g}", **values)  # type: ignore[arg-type]


def truth(name: str, *regions: Region) -> Truth:
    return Truth(Page(Path(f"{name}.png"), 100, 50), regions)


PAGES = {
    "one": truth("one", bed(0), bed(20), bed(40)),
    "two": truth("two", bed(0), bed(20, uncertain=True)),
}
SPOTS = [  # the model itself first, and again; then one right, one false
    ("one.png", box(0, 0, 10, 10)),
    ("one.png", box(0, 0, 10, 9)),
    ("two.png", box(0, 0, 10, 10)),
    ("one.png", box(70, 0, 80, 10)),
]
MODEL = QueryModel("bed", "one.png", box(0, 0, 10, 10))


def run_with(*models: QueryModel) -> Run:
    run = Run.ordered(
        "mine",
        ["bed"] * len(SPOTS),
        [page for page, _ in SPOTS],
        Outlines.of([ring for _, ring in SPOTS]),
        score=-np.arange(len(SPOTS), dtype=float),
    )
    return replace(run, models=models)


def evaluated(pages: dict[str, Truth], run: Run, models: str = "ignore") -> Evaluation:
    return evaluate(TruthSet(pages), [ReadRun(run)], draws=0, models=models)  # type: ignore[arg-type]


def figures(evaluation: Evaluation) -> dict[str, float | None]:
    return evaluation.runs[0].figures.mean


@pytest.mark.parametrize("write", [write_csv, write_parquet])
def test_a_run_keeps_its_models_in_a_file_beside_it(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / f"run.{'csv' if write is write_csv else 'parquet'}"
    run = run_with(MODEL, QueryModel("bed", "two", ((0.5, 1), (9, 1), (9, 7.25))))
    write(run, path)
    assert read_run(path).run.models == run.models
    models_path(path).write_text("{")
    damaged = read_run(path)
    assert damaged.run.models == () and len(damaged.run) == len(run)
    assert any("query models are unknown" in remark for remark in damaged.remarks)
    write(run_with(), path)  # an old file would say what is not so
    assert not models_path(path).exists()


def test_a_model_is_what_an_ignored_symbol_is() -> None:
    marked = {**PAGES, "one": truth("one", bed(0, ignore=Ignore.SYMBOL), bed(20), bed(40))}
    assert figures(evaluated(PAGES, run_with(MODEL))) == figures(evaluated(marked, run_with()))
    by_model = evaluated(PAGES, run_with(MODEL)).runs[0]
    # two of five regions remain found; of the spots, two lie on the model
    assert by_model.figures.mean["precision_at_iou"] == 0.5
    assert by_model.figures.mean["symbols"] == 4
    assert by_model.with_models is not None
    assert by_model.with_models.mean == figures(evaluated(PAGES, run_with()))
    assert by_model.with_models.mean["precision_at_iou"] == 0.5
    assert any("1 query model ignored" in remark for remark in by_model.remarks)


def test_models_can_be_counted() -> None:
    counted = evaluated(PAGES, run_with(MODEL), "count")
    assert figures(counted) == figures(evaluated(PAGES, run_with()))
    assert counted.runs[0].with_models is None
    assert any("1 query model counted" in remark for remark in counted.runs[0].remarks)


def test_a_model_without_a_region_is_ignored_as_it_was_drawn() -> None:
    drawn = QueryModel("bed", "one", box(69, 0, 80, 10))  # around the false spot
    found = evaluated(PAGES, run_with(drawn)).runs[0]
    assert found.figures.sums.spots.tolist() == [3]
    assert found.figures.mean["symbols"] == 5
    elsewhere = evaluated(PAGES, run_with(QueryModel("bed", "nowhere", MODEL.points))).runs[0]
    assert elsewhere.with_models is None and not elsewhere.models


def test_two_runs_are_compared_without_the_models_of_either() -> None:
    other = replace(run_with(), name="other")
    for models in ((), (MODEL,)):
        second = replace(other, models=models)
        found = evaluate(TruthSet(PAGES), [ReadRun(run_with(MODEL)), ReadRun(second)], draws=0)
        compared = found.compared
        assert compared is not None
        both = compared.first.figures, compared.second.figures
        assert [figures.mean["symbols"] for figures in both] == [4, 4]
        assert len(compared.changes) == 0  # the runs are the same


def test_json_says_what_is_ignored() -> None:
    content = as_json(evaluated(PAGES, run_with(MODEL)))
    [run] = content["runs"]
    assert content["settings"]["models"] == "ignore"
    assert run["ignored"] == {"regions": 1, "spots": 2}
    assert run["queries"]["bed"]["ignored"] == {"regions": 1, "spots": 2, "area": 100}
    assert run["errors"]["ignored"] == 2
    [place] = run["models"]["places"]
    assert (place["query"], place["page"]) == ("bed", "one")
    assert run["models"]["ignored"] and run["models"]["counted"]["mean"]["symbols"] == 5
    json.dumps(content)


def test_uncertain_regions_can_be_ignored() -> None:
    doubtful = without_uncertain(TruthSet(PAGES))
    assert [region.ignored for region in doubtful.truths["two"].regions] == [False, True]
    assert doubtful.truths["one"] is PAGES["one"]
    assert figures(evaluated(dict(doubtful.truths), run_with()))["symbols"] == 4


def test_an_edited_page_still_leaves_its_models_out() -> None:
    truths, judging = TruthSet(PAGES), Judging()
    inspected = tally_inspected_run(
        InspectedRun("mine", "", run_with(MODEL)), truths, judging, silent
    )
    assert inspected.figures is not None and inspected.with_models is not None
    assert inspected.figures.mean["symbols"] == 4 and inspected.with_models.mean["symbols"] == 5
    edited = truth("one", bed(0), bed(20), bed(40), bed(60))
    [again] = retally_page([inspected], "one", edited, judging)
    assert again.figures is not None and again.with_models is not None
    assert again.figures.mean["symbols"] == 5 and again.with_models.mean["symbols"] == 6
    whole = tally_inspected_run(
        InspectedRun("mine", "", run_with(MODEL)),
        TruthSet({**PAGES, "one": edited}),
        judging,
        silent,
    )
    assert whole.figures is not None and whole.figures.mean == again.figures.mean


def run_command(arguments: list[object]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    assert not ended.value.code


def test_spotting_names_its_models_and_evaluation_leaves_them_out(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for name in ("plan_001.png", "plan_001.xml"):
        (pages / name).write_bytes((sample_collection() / name).read_bytes())
    out = tmp_path / "run.csv"
    spot: list[object] = [
        "spot",
        "symbols",
        "--pages",
        pages,
        "--query",
        "toilet",
        "--method",
        "b",
        "--out",
        out,
    ]
    spot += ["--cache", tmp_path / "cache"]
    run_command(spot)
    [model] = read_run(out).run.models
    assert (model.query, model.page) == ("toilet", "plan_001")
    found = {}
    for handling in ("ignore", "count"):
        target = tmp_path / f"{handling}.json"
        judge: list[object] = [
            "evaluate",
            "--truth",
            pages,
            "--run",
            out,
            "--models",
            handling,
            "--draws",
            0,
        ]
        judge += ["--json", target]
        run_command(judge)
        [found[handling]] = json.loads(target.read_text())["runs"]
    ignored, counted = (found[handling]["queries"]["toilet"] for handling in ("ignore", "count"))
    assert ignored["symbols"] == counted["symbols"] - 1
    assert found["ignore"]["models"]["counted"]["mean"] == found["count"]["mean"]
    assert found["ignore"]["ignored"]["spots"] >= 1 and found["count"]["ignored"]["spots"] == 0
    result_of_api = spotlab.evaluate(pages, out, draws=0)
    assert result_of_api.as_dict()["runs"][0]["mean"] == found["ignore"]["mean"]
