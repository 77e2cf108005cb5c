"""Options that several commands share, and what they stand for."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import MISSING, fields
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_origin

import click

from spotlab.api.job import PathKind, Range, flat_kinds, setting_texts, setting_type
from spotlab.api.settings import (
    InkJobSettings,
    JudgingSettings,
    ScalabilitySettings,
    SpottingSettings,
)
from spotlab.files import Paths
from spotlab.interruption import noting

if TYPE_CHECKING:
    from spotlab.measures.measure import MeasureSettings
    from spotlab.model.region import Primitive


# types of options and arguments that are paths
FOLDER = click.Path(file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
EXISTING_PATH = click.Path(exists=True, path_type=Path)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
EXISTING_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]


def together(*decorators: Decorator[Any]) -> Decorator[Any]:
    """Several options as one decorator."""

    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def options(
    kind: type,
    spelled: Mapping[str, str] | None = None,
    *,
    only: Collection[str] = (),
    without: Collection[str] = (),
    types: Mapping[str, Any] | None = None,
    stop: type | None = None,
) -> Decorator[Any]:
    """Give a command options for the settings of a job, with their types, defaults and texts.

    An option is called like its setting; one that may be given several times in the singular. A
    setting that is given by position has an option only if it is spelled.

    Parameters
    ----------
    kind : type
        A subclass of `JobSettings`.
    spelled : mapping of str to str, optional
        Options in the singular, those of settings by position, or with a metavar: "--cut RULE".
    only : collection of str
        Names of settings; by default all.
    without : collection of str
        Names of settings that have no option.
    types : mapping of str to type, optional
        Types of settings for which a command takes less than a function.
    stop : type, optional
        A parent class whose settings are left out, with those of its parents.

    Examples
    --------
    >>> from spotlab.api.settings import EvaluationSettings
    >>> command = click.command()(options(EvaluationSettings, only=["draws"])(lambda draws: None))
    >>> command.params[0].opts, command.params[0].type
    (['--draws'], <IntRange x>=0>)
    """
    spelled, types = spelled or {}, types or {}
    texts = setting_texts(kind)
    left = {"progress", *without, *(each.name for each in (fields(stop) if stop else ()))}
    chosen = [
        each
        for each in fields(kind)
        if (each.kw_only or each.name in spelled)
        and (each.name in only if only else each.name not in left)
    ]
    return together(
        *(
            _option(
                each.name,
                spelled.get(each.name, ""),
                types.get(each.name) or setting_type(declaring(kind, each.name), each.name),
                each.default,
                texts[each.name].text.replace(" [default", "  [default"),
            )
            for each in chosen
        )
    )


FOR_OLDER = "for older scripts."  # ends the text of a setting that commands take but do not show


OLDER = {  # spellings that scripts may have
    "cut_offs": "--cutoff",
    "leave_out_models": "--leave-out-model",
    "lexicon": "--words",
    "max_spots": "--most",
    "mend": "--plain",
    "min_score": "--at-least",
    "min_votes": "--least",
    "models_per_label": "--each",
    "threshold": "--purge",
}


class SettingOption(click.Option):
    """Option of a setting, with an older spelling that works and is not shown."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Add the older spelling with the others."""
        older = OLDER.get(str(self.name))
        shown = self.opts, self.secondary_opts
        if older and self.secondary_opts:  # what it says is No
            self.secondary_opts = [*self.secondary_opts, older]
        elif older:
            self.opts = [*self.opts, older]
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.opts, self.secondary_opts = shown


def _option(name: str, spelled: str, expected: Any, default: Any, text: str) -> Decorator[Any]:
    if name == "jobs":
        return jobs_option
    if name == "skip_bad_lines":  # what is done anyway; older scripts have it
        return click.option(
            "--skip-bad-lines",
            name,
            is_flag=True,
            flag_value=True,
            default=True,
            hidden=True,
            help=text,
        )
    option, _, metavar = spelled.partition(" ")
    option = option or f"--{name.replace('_', '-')}"
    kinds = flat_kinds(expected)
    if bool in kinds:
        if default is True:
            option = f"{option}/--{'not' if name == 'adapted' else 'no'}-{name}"
        flag = {"default": default} if "/" in option else {}
        return click.option(option, name, is_flag=True, help=text, cls=SettingOption, **flag)
    if any(get_origin(each) is Mapping for each in kinds):
        return click.option(
            option, name, metavar=metavar, multiple=True, help=text,
            callback=partial(_named_numbers, texts_too=_has_texts(kinds)),
            cls=SettingOption,
        )  # fmt: skip
    multiple = any(get_origin(each) is Sequence for each in kinds)
    more: dict[str, Any] = {"multiple": True} if multiple else {}
    more["required"] = default is MISSING
    if not multiple and default not in (None, inf, MISSING, ()):
        shown = ",".join(default) if isinstance(default, tuple) else default
        more |= {"default": shown, "show_default": "[default" not in text}
    if name == "cluster":
        metavar = "ADDRESS"
    if text.endswith(FOR_OLDER):
        more["hidden"] = True
    kind = _parameter_type(kinds)
    return click.option(
        option, name, type=kind, metavar=metavar or None, help=text, cls=SettingOption, **more
    )


def declaring(kind: type, name: str) -> type:
    """Find the class that declares a setting.

    Examples
    --------
    >>> from spotlab.api.settings import EvaluationSettings
    >>> declaring(EvaluationSettings, "beta").__name__
    'TruthSettings'
    """
    return next(each for each in kind.__mro__ if name in vars(each).get("__annotations__", {}))


def _has_texts(kinds: Sequence[Any]) -> bool:
    """Tell whether a mapping's values may be texts."""
    values = [get_args(each)[1] for each in kinds if get_origin(each) is Mapping]
    return any(str in flat_kinds(value) for value in values)


def _named_numbers(
    context: click.Context, option: click.Parameter, texts: Sequence[str], texts_too: bool = False
) -> dict[str, float | str] | None:
    """Numbers by name, of an option that may be given several times or have commas.

    With ``texts_too`` what is no number is passed on as it is.
    """
    words = str(option.metavar).removesuffix(",…")
    numbers: dict[str, float | str] = {}
    for text in (part.strip() for given in texts for part in given.split(",") if part.strip()):
        name, _, number = text.rpartition("=")
        value: float | str = math.nan
        try:
            value = float(number) if name.strip() else math.nan
        except ValueError:
            value = number.strip() if texts_too and name.strip() else math.nan
        if isinstance(value, float) and math.isnan(value):
            problem = f"{text!r}; expected {words}, {words.partition('=')[2]} being a number."
            raise click.UsageError(f"{option.opts[0]} has {problem}", context)
        if name.strip() in numbers:
            problem = f"{name.strip()!r} twice; expected it once."
            raise click.UsageError(f"{option.opts[0]} has {problem}", context)
        numbers[name.strip()] = value
    return numbers or None


def _parameter_type(kinds: Sequence[Any]) -> Any:
    kinds = [*kinds, *(inner for each in kinds if get_origin(each) is Sequence
                       for inner in flat_kinds(get_args(each)[0]))]  # fmt: skip
    choices = [each for kind in kinds if get_origin(kind) is Literal for each in get_args(kind)]
    if choices:
        return click.Choice(choices)
    bounds: Any = next((each for each in kinds if isinstance(each, Range)), Range())
    if int in kinds:
        return click.IntRange(bounds.low, bounds.high)
    if float in kinds:
        return NumberRange(bounds.low, bounds.high, min_open=bounds.low_open)
    if any(get_origin(each) is os.PathLike for each in kinds):
        path = next((each for each in kinds if isinstance(each, PathKind)), PathKind())
        return click.Path(path.exists, path.file, path.folder, path_type=Path)
    return str


def given(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that were given or have a default; functions have defaults for the others."""
    return {name: value for name, value in chosen.items() if value not in (None, ())}


class NumberRange(click.FloatRange):
    """A finite number, within bounds where these are given; click lets NaN through.

    Examples
    --------
    >>> NumberRange(0).convert("0.5", None, None)
    0.5
    """

    def __init__(self, *bounds: Any, **more: Any) -> None:
        super().__init__(*bounds, **more)
        if self.min is None and self.max is None:
            self.name = "float"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Refuse NaN and infinity."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number

    def _describe_range(self) -> str:
        return "" if self.min is None and self.max is None else super()._describe_range()


def jobs_option(command: Command) -> Command:
    """``--jobs``: as many cores, for processes and for the threads in them; all by default."""
    option = click.option(
        "--jobs",
        type=click.IntRange(min=0),
        default=0,
        callback=_use_cores,
        help="Number of processor cores to use.  [default: all]",
    )
    return option(command)


def _use_cores(command: click.Context, _option: click.Parameter, jobs: int) -> int:
    from spotlab.compute.executors import use_cores  # noqa: PLC0415 - not needed to ask for help

    use_cores(jobs)
    command.call_on_close(partial(use_cores, 0))
    return jobs


job_options = options(SpottingSettings, only=("jobs", "cluster"))
symbol_ink_option = options(InkJobSettings, only=("ink",))
INK = {"colour": "--colour #RRGGBB"}
ink_options = options(InkJobSettings, INK, without=("ink",), stop=SpottingSettings)
measure_options = options(
    JudgingSettings,
    only=(
        "strict", "overlap", "beta", "recognised", "primitive", "missing", "seed", "skip_bad_lines",
        "jobs", "cluster",
    ),
)  # fmt: skip
draw_options = options(ScalabilitySettings, stop=JudgingSettings)


def _use(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from spotlab.formats.rows.csv_rows import safe_cells  # noqa: PLC0415

        context.with_resource(safe_cells())


csv_safe_option = click.option(
    "--csv-safe",
    is_flag=True,
    expose_value=False,
    callback=_use,
    help="In CSV files, write an apostrophe before names that begin with = + - or @, which a "
    "spreadsheet would run as formulas. By default, names are written unchanged. Numbers are "
    "always written unchanged.",
)


pages_option = click.option(
    "--pages",
    type=EXISTING_PATH,
    multiple=True,
    required=True,
    help="Image, or folder or archive of images; may be given several times.",
)


def resumable(pages_are_kept: bool = True) -> AbstractContextManager[None]:
    """Say that nothing is lost if Ctrl+C ends the command, where finished pages are kept."""
    note = "finished pages are kept; run the same command again to continue"
    return noting(note) if pages_are_kept else nullcontext()


EXISTING: Any = Annotated[Paths, PathKind()]
RUNS = {"truth": "--truth", "runs": "--run", "pages": "--pages GLOB"}
RUN_TYPES = {"truth": EXISTING, "runs": EXISTING}  # of jobs that hold runs against truth


def settings_of(chosen: Mapping[str, Any]) -> MeasureSettings:
    """The settings that the options stand for; of those that a command lacks, the defaults."""
    from spotlab.measures.measure import MeasureSettings  # noqa: PLC0415
    from spotlab.measures.tally import Overlap  # noqa: PLC0415

    names = ("beta", "recognised", "iou", "missing", "at_recall", "at_precision", "at_rank")
    try:
        own = {name: chosen[name] for name in names if name in chosen}
        return MeasureSettings(Overlap(chosen["overlap"]), **own)
    except ValueError as error:  # NaN is in no range and out of none
        raise click.UsageError(str(error), click.get_current_context()) from error


def primitive_of(chosen: Mapping[str, Any]) -> Primitive | None:
    """The primitive that the options name, or None."""
    from spotlab.model.region import Primitive  # noqa: PLC0415

    return None if chosen["primitive"] is None else Primitive(chosen["primitive"])
