"""Results as people expect them: by name, one after the other, as frames, in axes, as pictures."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import pytest

import spotlab
from spotlab.api.evaluate import EvaluationResult

PLANS = spotlab.sample_collection()
RUNS = [PLANS / "runs" / f"{name}.csv" for name in ("a_ratios", "e_alignment")]


@pytest.fixture(scope="module")
def result() -> EvaluationResult:
    return spotlab.evaluate(PLANS, RUNS, draws=0)


def test_runs_are_found_by_name_and_in_order(result: EvaluationResult) -> None:
    assert isinstance(result, Mapping)
    assert (len(result), list(result), "a_ratios" in result) == (
        2,
        ["a_ratios", "e_alignment"],
        True,
    )
    alone = result["e_alignment"]
    assert list(alone) == ["e_alignment"]
    means = result.means().set_index(["run", "figure"])["mean"]
    assert alone.f == alone.figures["f"] == means["e_alignment", "f"]
    with pytest.raises(KeyError, match="there is no run 'b'; there are a_ratios, e_alignment"):
        result["b"]
    with pytest.raises(spotlab.BadArgument, match="there are 2 runs; choose one of a_ratios"):
        _ = result.f


def test_confusions_errors_and_best_f_are_frames(result: EvaluationResult) -> None:
    alone = result["a_ratios"]
    [run] = alone.as_dict()["runs"]
    errors = alone.errors().set_index("kind")["count"]
    assert errors.to_dict() == {kind: each["count"] for kind, each in run["tide"]["errors"].items()}
    confusion = alone.confusion().set_index("query")
    spots = alone.frame().set_index("query")["spots"]
    assert confusion.drop(columns="run").loc["sofa"].sum() == spots["sofa"]
    assert alone.confusion("area").set_index("query").loc["sofa", "sofa"] > 0
    best, every = result.best_f(), result.thresholds()
    assert set(best["by"]) == {"score"} and set(best["run"]) == set(result)
    assert best["f"].tolist() == every[every["by"] == "score"]["f"].tolist()


def test_curves_of_a_query_go_into_axes_of_ones_own(result: EvaluationResult) -> None:
    curves = result.curves("sofa")
    frame = curves.frame(3)
    assert frame["recall"].tolist() == [0, 0.5, 1] * 2
    assert frame["precision_deviation"].isna().all()
    figure, axes = plt.subplots(1, 2)
    assert curves.plot(ax=axes[1], kind="f") is axes[1]
    assert axes[1].get_ylabel().startswith("F") and not axes[0].lines
    assert [line.get_label() for line in axes[1].lines] == list(result)
    plt.close(figure)
    assert curves.plot(["a_ratios"]).axes
    with pytest.raises(spotlab.SpotlabError, match="there is no query 'yacht'; there are"):
        result.curves("yacht")
    with pytest.raises(spotlab.SpotlabError, match="kind is 'g'; expected one of precision"):
        curves.plot(ax=axes[0], kind="g")  # type: ignore[call-overload]


def test_pages_are_found_by_name_and_drawn(result: EvaluationResult) -> None:
    truth = spotlab.read_truth(PLANS)
    assert list(truth) == list(truth.pages) and len(truth) == 12
    page = truth["plan_002.png"]
    assert page.pages == ("plan_002",) and page.regions == len(page.frame())
    assert sum(truth[name].regions for name in truth) == truth.regions
    drawn = page.show()
    found = result.show("plan_002", run="a_ratios")
    assert drawn.size == found.size == result["a_ratios"].show("plan_002").size
    assert len({*drawn.convert("RGB").getdata()}) > 100, "there are colours on it"
    for wrong in (truth.show, result.show):
        with pytest.raises(spotlab.BadArgument, match="is missing; expected one of"):
            wrong()
    with pytest.raises(KeyError, match="there is no page 'plan_099'"):
        truth["plan_099"]
