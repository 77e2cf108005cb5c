"""Settings of jobs: one name, type, default and text for functions, commands and their help."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import click
import pytest

import spotlab
from spotlab.api import settings
from spotlab.api.job import setting_texts
from spotlab.cli.options import options
from spotlab.errors import BadArgument
from spotlab.imaging.ink import InkMethod
from spotlab.measures.tally import Overlap
from spotlab.model import Primitive
from spotlab.ranking.fusion import fusions
from spotlab.spotting.symbols.engine.method import SymbolSettings, named_ink_settings
from spotlab.spotting.symbols.search.symbol_search import BEST_METHOD
from spotlab.spotting.words.extraction.descriptor import WordDescriptor
from spotlab.spotting.words.extraction.layout import WordInk
from spotlab.spotting.words.search import COMBINE

JOBS: dict[Callable[..., Any], type] = {
    spotlab.evaluate: settings.EvaluationSettings,
    spotlab.compare_systems: settings.SystemComparisonSettings,
    spotlab.rerank: settings.RerankingSettings,
    spotlab.spot_symbols: settings.SymbolSpottingSettings,
    spotlab.spot_words: settings.WordSpottingSettings,
    spotlab.adapt_words: settings.WordAdaptationSettings,
}


@pytest.mark.parametrize("job", JOBS)
def test_a_function_takes_every_setting_and_its_help_tells_each(job: Callable[..., Any]) -> None:
    names = list(inspect.signature(job).parameters)
    assert set(names) == {each.name for each in vars(JOBS[job])["__dataclass_fields__"].values()}
    assert names[-1] == "progress"
    told = inspect.getdoc(job) or ""
    for name in names:
        entry = told.partition(f"\n{name} : ")[2]
        assert entry.partition("\n")[2].startswith("    "), name


@pytest.mark.parametrize(
    ("kind", "name", "values"),
    [
        (settings.JudgingSettings, "overlap", Overlap),
        (settings.JudgingSettings, "primitive", [each for each in Primitive if each.has_area]),
        (settings.SymbolSpottingSettings, "ink", InkMethod),
        (settings.WordSpottingSettings, "ink", WordInk),
        (settings.WordAdaptationSettings, "ink", WordInk),
        (settings.WordSpottingSettings, "descriptor", WordDescriptor),
        (settings.WordSpottingSettings, "combine", COMBINE),
    ],
)
def test_choices_are_those_that_there_are(kind: type, name: str, values: Any) -> None:
    command = click.command()(options(kind, only=[name])(lambda **_: None))
    [option] = command.params
    assert isinstance(option.type, click.Choice)
    assert set(option.type.choices) == {str(each) for each in values}


def test_defaults_are_those_of_the_methods() -> None:
    assert settings.SymbolSpottingSettings.method == BEST_METHOD
    assert named_ink_settings("even") == SymbolSettings().ink
    assert set(settings.WordSpottingSettings.lists) <= set(fusions())


def test_a_wrong_choice_or_name_is_refused() -> None:
    with pytest.raises(BadArgument, match="missing is 'all'; expected one of zero, drop"):
        spotlab.evaluate("plans", "run.csv", missing="all")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"evaluate\(\) got an unexpected keyword argument 'betta'"):
        spotlab.evaluate("plans", "run.csv", betta=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"evaluate\(\) missing a required argument: 'runs'"):
        spotlab.evaluate("plans")  # type: ignore[call-arg]


def test_an_option_has_the_type_the_default_and_the_text_of_its_setting() -> None:
    kinds = settings.EvaluationSettings
    command = click.command()(options(kinds, {"cut": "--cut RULE"})(lambda **_: None))
    given = {option.name: option for option in command.params}
    assert set(given) == {
        "iou",
        "at_recall",
        "at_precision",
        "sizes",
        "ties",
        "at_rank",
        "models",
        "uncertain",
        "cut",
        "primary",
        "over",
        "draws",
        "in_full",
    }
    assert given["draws"].default == 1000
    assert isinstance(given["draws"].type, click.IntRange)
    assert given["cut"].metavar == "RULE"
    texts = setting_texts(kinds)
    assert all(each.help == texts[name].text for name, each in given.items())  # type: ignore[attr-defined]
