"""Settings of jobs: one name, type, default and text for functions, commands and their help."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import click
import pytest

import spotlab
from spotlab.api import settings
from spotlab.api.job import setting_texts
from spotlab.cli.options import OLDER, options
from spotlab.cli.root import _root
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
    function: function.settings  # type: ignore[attr-defined]
    for name in spotlab.__all__
    if hasattr(function := getattr(spotlab, name), "settings")
}
COMMANDS = {"compare_systems": "consensus"}  # `spotlab.consensus` is a package
OF_THE_LAB = {"parts", "pipelines", "reproduce", "synthesise", "train"}
OF_THE_PROGRAM = {"demo", "doctor", "open"}  # the window, and the machine it runs on


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


def test_every_everyday_command_has_its_function() -> None:
    root, found = _root(), set()
    for name in set(root.list_commands(click.Context(root))) - OF_THE_LAB - OF_THE_PROGRAM:
        command = root.get_command(click.Context(root), name)
        if isinstance(command, click.Group):
            found |= {f"{name}_{each}" for each in command.list_commands(click.Context(command))}
        else:
            found.add(name)
    assert found == {COMMANDS.get(job.__name__, job.__name__) for job in JOBS}


def command_of(job: Callable[..., Any]) -> click.Command:
    """The command of a function: `spot symbols` of `spot_symbols`."""
    command: click.Command | None = _root()
    for word in COMMANDS.get(job.__name__, job.__name__).split("_"):
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word)
    assert command is not None
    return command


NOT_OPTIONS = {  # a command cannot have them: functions, tables, what is there for older scripts
    "progress", "factors", "skip_bad_lines",
}  # fmt: skip


@pytest.mark.parametrize("job", JOBS)
def test_command_and_function_have_the_same_names_and_defaults(job: Callable[..., Any]) -> None:
    given = {each.name: each for each in command_of(job).params}
    for name, parameter in inspect.signature(job).parameters.items():
        if name in NOT_OPTIONS:
            continue
        option = given.pop(name)
        if isinstance(option, click.Argument):
            continue
        plural = "--" + name.replace("_", "-")
        singular = {plural[:-1], plural[:-3] + "y"} if option.multiple else set()
        assert set(option.opts) <= {plural, *singular}, "one name at all doors"
        if parameter.default is parameter.empty:
            assert option.required
        elif name != "lists":  # the command has them as one text
            assert plain(option.to_info_dict()["default"]) == plain(parameter.default), name
    files = {
        "out",
        "json_file",
        "spots",
        "csv_file",
        "kind",
        "file",
        "undo",
        "compare",
        "all_methods",
    }
    only_here = files | NOT_OPTIONS
    assert {each.name for each in given.values() if each.expose_value} <= only_here


def plain(default: object) -> object:
    """A default as both may write it: nothing is None, no text or an empty list."""
    if default in (None, math.inf, "", []) or default == () or default is False:
        return None
    return None if str(default) == "Sentinel.UNSET" else default


def test_older_spellings_of_options_still_work_and_are_not_shown() -> None:
    found = set()
    for job in JOBS:
        command = command_of(job)
        context = click.Context(command)
        parser, shown = command.make_parser(context), command.get_help(context)
        for option in command.params:
            older = OLDER.get(str(option.name))
            if older is not None:
                assert older in parser._long_opt
                assert f"{older} " not in shown
                found.add(option.name)
    assert found == set(OLDER)


def test_an_option_has_the_type_the_default_and_the_text_of_its_setting() -> None:
    kinds = settings.EvaluationSettings
    own = options(kinds, {"cut": "--cut RULE"}, stop=settings.JudgingSettings)
    command = click.command()(own(lambda **_: None))
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
