"""Command output to the terminal and to files: readable lines, JSON, progress, errors."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from spotlab.errors import BadArgument, BadLines, InTheWay, NotSaved, SpotlabError
from spotlab.files import is_folder
from spotlab.interruption import check
from spotlab.progress import Progress, silent
from spotlab.representation import utf8, visible


def say(*lines: str, err: bool = False) -> None:
    r"""Print lines; control characters in them, also of names and errors, are shown as escapes.

    Parameters
    ----------
    *lines : str
        One line each: a line break in one of them is a part of a name, and is shown as ``\n``.
    err : bool
        Whether to print to standard error.
    """
    for line in lines:
        click.echo(visible(line), err=err)


TOLD_EACH = 5  # s between two lines of progress


@contextmanager
def progress_bar(lines: bool = False) -> Iterator[Progress]:
    """Give a `Progress` that draws a bar on standard error if that is a terminal.

    Parameters
    ----------
    lines : bool
        Whether to print a line every few seconds where it is none.
    """
    if not sys.stderr.isatty():
        yield _Lines().show if lines else silent
        return
    bars = _Bars()
    try:
        yield bars.show
    finally:
        bars.finish()


class _Lines:
    """A line every few seconds on standard output, in the order of other lines there."""

    def __init__(self) -> None:
        self._began = self._told = time.monotonic()

    def show(self, done: int, total: int | None, doing: str) -> None:
        check()
        now = time.monotonic()
        if now - self._told >= TOLD_EACH:
            self._told = now
            share = f", {done:,} of {total:,}" if total else ""
            say(f"… {doing}{share}; {now - self._began:.0f} s")


class _Bars:
    """One bar for each thing that is going on, one after the other."""

    def __init__(self) -> None:
        self._bar: Any = None

    def show(self, done: int, total: int | None, doing: str) -> None:
        check()
        bar = self._bar
        if bar is None or bar.length != total or done < bar.pos:
            self.finish()
            bar = self._bar = click.progressbar(
                # an unknown total is what click makes of an iterable without a length
                iterable=iter(int, 1) if total is None else None,
                length=total,
                label=visible(doing),
                show_pos=total is None,
                file=sys.stderr,
            )
        bar.label = visible(doing)
        bar.update(done - bar.pos)
        bar.render_progress()

    def finish(self) -> None:
        if self._bar is not None:
            self._bar.render_finish()
            self._bar = None


json_option = click.option(
    "--json",
    "json_file",
    metavar="FILE",
    help="File for the result as JSON; - means standard output.",
)


def write_json(value: object, file: str) -> None:
    """Write a value as JSON to the file, or to standard output if it is ``-``.

    Raises
    ------
    NotSaved
        The file could not be written; what was there before is untouched.
    """
    from spotlab.formats.rows.files import write_atomically  # noqa: PLC0415 - formats bring much along
    from spotlab.formats.rows.json_values import json_text  # noqa: PLC0415

    # the same to whoever reads it as JSON; the file may be a terminal, too
    text = visible(json_text(value), kept="\n") + "\n"
    if file == "-":
        click.echo(text, nl=False)
    else:
        write_atomically(Path(file), utf8(text))


def tell(
    json_file: str | None, value: Callable[[], object], lines: Callable[[], Iterable[str]]
) -> None:
    """Write a result as JSON where that is asked for, and print its lines where they do not mix.

    Raises
    ------
    NotSaved
        The file could not be written; what was there before is untouched.
    """
    if json_file:
        write_json(value(), json_file)
    if json_file != "-":
        say(*lines())


def check_target(file: str | None) -> None:
    """Check that a file can be written, before the work whose result it is to hold.

    Its folder is made if it is not there.

    Raises
    ------
    NotSaved
        Its folder cannot be made, nothing may be written there, or it is a folder itself or, by its
        name, an image.
    """
    from spotlab.formats.rows.files import is_stream, make_folder_of  # noqa: PLC0415 - takes a while
    from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES  # noqa: PLC0415

    if file in (None, "-") or is_stream(Path(str(file))):
        return
    target = Path(str(file)).absolute()
    if target.suffix.lower() in IMAGE_SUFFIXES:
        raise NotSaved(f"{file} cannot be written: the name is that of an image file")
    make_folder_of(target)
    if is_folder(target):
        raise NotSaved(f"{file} cannot be written: it is a folder")
    if not os.access(target.parent, os.W_OK):
        raise NotSaved(f"{file} cannot be written: its folder is read-only")


@contextmanager
def as_options(rest: str = "takes the rest", wording: Callable[[str], str] = str) -> Iterator[None]:
    """Print bad lines, and name options where the function named arguments.

    Parameters
    ----------
    rest : str
        What is done with the good lines where ``--strict`` is not given.
    told : callable
        How the problem with an argument is written.

    Raises
    ------
    click.UsageError
        In place of a BadArgument.
    SpotlabError
        In place of BadLines and InTheWay.
    """
    try:
        yield
    except BadLines as error:
        say(*error.lines)
        advice = f"without --strict spotlab {rest}" if error.skippable else error.advice
        raise SpotlabError(f"{error.summary}; {advice}") from error
    except InTheWay as error:
        raise SpotlabError(error.for_command()) from error
    except BadArgument as error:
        context = click.get_current_context()
        options = {str(each.name): each.opts[0] for each in context.command.params}
        raise click.UsageError(wording(error.for_command(options)), context) from error
