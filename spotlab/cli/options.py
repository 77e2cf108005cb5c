"""Options that several commands share, and what they stand for."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin

import click

from spotlab.api.job import PathKind, Range, flat_kinds, setting_texts, setting_type
from spotlab.api.settings import (
    InkSettingsOptions,
    JudgingSettings,
    SpottingSettings,
    SymbolSpottingSettings,
)
from spotlab.cli.console import as_options
from spotlab.files import is_folder
from spotlab.interruption import noting

if TYPE_CHECKING:
    from spotlab.formats.runs import ReadRun
    from spotlab.imaging.ink import InkSettings
    from spotlab.measures.measure import MeasureSettings
    from spotlab.model.region import Primitive
    from spotlab.progress import Progress
    from spotlab.studies.tally.truth import TruthSet


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
) -> Decorator[Any]:
    """Give a command options for the settings of a job, with their types, defaults and texts.

    Settings of parent classes are left out, and so are those that are given by position.

    Parameters
    ----------
    kind : type
        A subclass of `JobSettings`.
    spelled : mapping of str to str, optional
        Options that are not called like the setting, or have a metavar: "--cut RULE".
    only : collection of str
        Names of settings; by default all.
    without : collection of str
        Names of settings that have no option.
    types : mapping of str to type, optional
        Types of settings for which a command takes less than a function.

    Examples
    --------
    >>> from spotlab.api.settings import EvaluationSettings
    >>> command = click.command()(options(EvaluationSettings, only=["draws"])(lambda draws: None))
    >>> command.params[0].opts, command.params[0].type
    (['--draws'], <IntRange x>=0>)
    """
    spelled, types = spelled or {}, types or {}
    texts = setting_texts(kind)
    own = [each for each in fields(kind) if each.name in vars(kind)["__annotations__"]]
    return together(
        *(
            _option(
                each.name,
                spelled.get(each.name, ""),
                types.get(each.name) or setting_type(kind, each.name),
                each.default,
                texts[each.name].text.replace(" [default", "  [default"),
            )
            for each in own
            if (each.kw_only or each.name in spelled)
            and (not only or each.name in only)
            and each.name not in without
        )
    )


FOR_OLDER = "for older scripts."  # ends the text of a setting that commands take but do not show


def _option(name: str, spelled: str, expected: Any, default: Any, text: str) -> Decorator[Any]:
    if name == "jobs":
        return jobs_option
    if name == "skip_bad_lines":  # what is done anyway; older scripts have it
        return click.option(
            "--skip-bad-lines", name, is_flag=True, default=True, hidden=True, help=text
        )
    option, _, metavar = spelled.partition(" ")
    option = option or f"--{name.replace('_', '-')}"
    kinds = flat_kinds(expected)
    if bool in kinds:
        flag = {"default": default} if "/" in option else {}
        return click.option(option, name, is_flag=True, help=text, **flag)
    if any(get_origin(each) is Mapping for each in kinds):
        return click.option(
            option, name, metavar=metavar, multiple=True, help=text,
            callback=partial(_named_numbers, texts_too=_has_texts(kinds)),
        )  # fmt: skip
    multiple = any(get_origin(each) is Sequence for each in kinds)
    more: dict[str, Any] = {"multiple": True} if multiple else {}
    if not multiple and default not in (None, inf):
        shown = ",".join(default) if isinstance(default, tuple) else default
        more |= {"default": shown, "show_default": "[default" not in text}
    if name == "cluster":
        metavar = "ADDRESS"
    if text.endswith(FOR_OLDER):
        more["hidden"] = True
    kind = _parameter_type(kinds)
    return click.option(option, name, type=kind, metavar=metavar or None, help=text, **more)


def _has_texts(kinds: Sequence[Any]) -> bool:
    """Tell whether a mapping's values may be texts."""
    values = [get_args(each)[1] for each in kinds if get_origin(each) is Mapping]
    return any(str in flat_kinds(value) for value in values)


def _named_numbers(
    context: click.Context,
    option: click.Parameter,
    texts: Sequence[str],
    texts_too: bool = False,
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
working_options = options(SpottingSettings)


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


ink_options = options(
    InkSettingsOptions, {"rulings": "--remove-rulings", "colour": "--colour #RRGGBB"}
)


def chosen_ink(method: str, pages: Sequence[Path], chosen: dict[str, Any]) -> InkSettings | str:
    """Take the options of `ink_options` out of what was chosen, and make settings of them.

    Returns
    -------
    InkSettings or str
        The name of the method where nothing else is asked for.

    Raises
    ------
    click.BadParameter
        The colour is none, or no settings are kept with the pages.
    """
    from spotlab.formats.collection.label_file import read_ink  # noqa: PLC0415 - takes a while
    from spotlab.imaging.ink import (  # noqa: PLC0415
        InkMethod,
        InkSettings,
        InkTone,
        colour_of_text,
    )

    values = {name: chosen.pop(name) for name in vars(InkSettingsOptions)["__annotations__"]}
    if values.pop("collection_ink"):
        folders = {page if is_folder(page) else page.parent for page in pages}
        kept = [read_ink(folder) for folder in sorted(folders)]
        if None in kept or len(set(kept)) != 1:
            raise click.BadParameter(
                "the pages have no common ink settings; choose them in the window: "
                "View → Ink, Contrast and Share",
                param_hint="--collection-ink",
            )
        [settings] = {each for each in kept if each is not None}
        return settings
    if values["colour"] is not None:
        colour = colour_of_text(values["colour"])
        if colour is None:
            raise click.BadParameter(
                f"{values['colour']!r} is no colour; expected #rrggbb", param_hint="--colour"
            )
        values["colour"] = colour
    values["tone"] = InkTone(values["tone"])
    settings = InkSettings(InkMethod(method), **values)
    return method if settings == InkSettings(InkMethod(method)) else settings


pages_option = click.option(
    "--pages",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    required=True,
    help="Image, or folder or archive of images; may be given several times.",
)


def resumable(pages_are_kept: bool = True) -> AbstractContextManager[None]:
    """Say that nothing is lost if Ctrl+C ends the command, where finished pages are kept."""
    note = "finished pages are kept; run the same command again to continue"
    return noting(note) if pages_are_kept else nullcontext()


run_options = together(
    click.option(
        "--truth",
        type=click.Path(exists=True, path_type=Path),
        multiple=True,
        required=True,
        help="Truth: a folder or a file; may be given several times.",
    ),
    click.option(
        "--run",
        "runs",
        type=click.Path(exists=True, path_type=Path),
        multiple=True,
        required=True,
        help="Run: CSV, Parquet, COCO results or PAGE, or a folder with runs; may be given "
        "several times.",
    ),
)


def judging_options(*only: str) -> Decorator[Any]:
    """Options for the settings of evaluations, or for only these of them."""
    return options(JudgingSettings, {"pages": "--pages GLOB"}, only=only)


measure_options = judging_options(
    "strict", "overlap", "beta", "recognised", "primitive", "missing", "seed", "skip_bad_lines",
    "jobs", "cluster",
)  # fmt: skip
strict_option = judging_options("strict")
symbol_ink_option = options(SymbolSpottingSettings, only=("ink",))
draw_options = together(
    click.option(
        "--draws",
        type=click.IntRange(min=1),
        default=100,
        show_default=True,
        help="Number of random draws of classes for each number of classes.",
    ),
    click.option(
        "--step",
        type=click.IntRange(min=1),
        default=5,
        show_default=True,
        help="Step from one number of classes to the next.",
    ),
)


def settings_of(chosen: Mapping[str, Any], iou: float = 0.5) -> MeasureSettings:
    """The settings that the options stand for."""
    from spotlab.measures.measure import MeasureSettings  # noqa: PLC0415
    from spotlab.measures.tally import Overlap  # noqa: PLC0415

    try:
        return MeasureSettings(
            Overlap(chosen["overlap"]), chosen["beta"], chosen["recognised"], iou,
            chosen["missing"],
        )  # fmt: skip
    except ValueError as error:  # NaN is in no range and out of none
        raise click.UsageError(str(error), click.get_current_context()) from error


def primitive_of(chosen: Mapping[str, Any]) -> Primitive | None:
    """The primitive that the options name, or None."""
    from spotlab.model.region import Primitive  # noqa: PLC0415

    return None if chosen["primitive"] is None else Primitive(chosen["primitive"])


def read_truth(paths: Sequence[Path], chosen: Mapping[str, Any], progress: Progress) -> TruthSet:
    """The truth that the runs are held against.

    Raises
    ------
    UsageError
        A pattern fits no page.
    """
    from spotlab.api.read_truth import read_truth as read  # noqa: PLC0415 - takes a while
    from spotlab.studies.tally.subset import subset_of  # noqa: PLC0415

    words, texts = chosen["words"], chosen["texts"]
    every = read(
        paths, words=words, texts=texts, strict=chosen.get("strict", False),
        file_group=chosen.get("file_group"), annotator=chosen.get("annotator"),
        cluster=chosen.get("cluster"), progress=progress,
    ).truth_set  # fmt: skip
    try:
        patterns, files = chosen.get("pages", ()), chosen.get("subset", ())
        return subset_of(every, patterns, files, chosen.get("tag", ()))
    except ValueError as error:
        raise click.UsageError(str(error), click.get_current_context()) from error


def read_runs(
    paths: Iterable[Path],
    truth_set: TruthSet,
    strict: bool,
    progress: Progress,
    annotations: Path | None = None,
    alternatives: Sequence[TruthSet] = (),
    columns: str = "",
) -> list[ReadRun]:
    """The runs; every line that can't be read is printed.

    Parameters
    ----------
    annotations : Path, optional
        Names the ids of COCO results.
    alternatives : sequence of TruthSet
        A run that fits one of these is about the truth, too.

    Raises
    ------
    SpotlabError
        There are such lines and reading is strict, or nothing of a run fits the truth.
    """
    from spotlab.api.read_run import read_runs as read  # noqa: PLC0415 - takes a while

    with as_options("evaluates the rest"):
        return read(
            paths,
            truth_set,
            naming=annotations,
            columns=columns,
            strict=strict,
            alternatives=alternatives,
            progress=progress,
        )
