"""Errors of the functions that commands call, said in terms of the commands' options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from spotlab.cli.console import say
from spotlab.errors import BadArgument, BadLines, InTheWay, SpotlabError


@contextmanager
def as_options(rest: str = "takes the rest", wording: Callable[[str], str] = str) -> Iterator[None]:
    """Print bad lines, and name options where the function named arguments.

    Parameters
    ----------
    rest : str
        What ``--skip-bad-lines`` does with the good lines.
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
        advice = f"--skip-bad-lines {rest}" if error.skippable else error.advice
        raise SpotlabError(f"{error.summary}; {advice}") from error
    except InTheWay as error:
        raise SpotlabError(error.for_command()) from error
    except BadArgument as error:
        raise click.UsageError(wording(error.for_command()), click.get_current_context()) from error
