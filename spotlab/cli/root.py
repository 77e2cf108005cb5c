"""The spotlab command: finds the commands beside it and says in one line what went wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
from platformdirs import user_cache_path

from spotlab import __version__, interruption
from spotlab.cli.console import say
from spotlab.cli.open import open_window
from spotlab.errors import Cancelled, SpotlabError, reason, shortened
from spotlab.files import exists
from spotlab.processes import keep_for_next_work
from spotlab.registry import discover, modules_of


class FolderGroup(click.Group):
    """A group whose commands are those at the top level of modules.

    Parameters
    ----------
    group : str
        Of entry points, by which other packages add commands.
    *packages : str
        Dotted names of those with the modules; by default the one that is named like the group.
    **settings
        See `click.Group`.
    """

    def __init__(self, group: str, *packages: str, **settings: Any) -> None:
        without: dict[str, Any] = {"invoke_without_command": True, "callback": _show_help}
        super().__init__(**(without | settings))
        self._group = group
        self._packages = packages or (group,)

    def _found(self) -> dict[str, click.Command]:
        modules = tuple(module for package in self._packages for module in modules_of(package))
        return discover(self._group, click.Command, modules=modules)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in alphabetical order."""
        return sorted(self._found())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        return self._found().get(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that comes first; a file or folder in its place is told how to open."""
        given = args[0] if args else ""
        if not given or self.get_command(ctx, given) is not None or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if exists(Path(given)):
            ctx.fail(f"{given} is not a command; to open it: spotlab open {given}")
        ctx.fail(f"there is no command {given!r}{_alike(given, self.list_commands(ctx))}")


@click.pass_context
def _show_help(context: click.Context) -> None:
    """Print the help of a group that was called without a command."""
    if context.invoked_subcommand is None:
        say(*context.get_help().splitlines())


def _alike(given: str, known: Iterable[str]) -> str:
    """Say which of the known words may be meant; "" where none is like the given one."""
    from difflib import get_close_matches  # noqa: PLC0415 - seldom needed

    bare = {name.lstrip("-"): name for name in known}
    alike = get_close_matches(given.lstrip("-"), bare, 1)
    return f"; did you mean {bare[alike[0]]}?" if alike else ""


LONGEST = 4000  # characters of a line on standard error


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that these arguments name and end the program.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process by default.

    Raises
    ------
    SystemExit
        0; 2 after one line on standard error; 130 after Ctrl+C, 143 after SIGTERM.
    """
    # many small matrix products: several threads per product take ten times as long as one,
    # and pages are distributed among processes anyway
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # its list of fonts is kept among our own files, not in a folder in the home
    os.environ.setdefault("MPLCONFIGDIR", str(user_cache_path("spotlab") / "matplotlib"))
    keep_for_next_work()
    try:
        code = _run(arguments)
        interruption.check()  # also where there is no progress to be told
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "spotlab"
        said = _in_one_line(error).rstrip(".")
        _fail(f"{said}{'' if said.endswith('?') else '.'} See {command} --help.")
    except click.ClickException as error:
        _fail(_in_one_line(error))
    except SpotlabError as error:
        _fail(str(error))
    except ImportError as error:
        _fail_without_package(error)
    except OSError as error:
        _fail(f"{error.filename or 'operating system error'}: {reason(error)}")
    except (click.Abort, Cancelled, KeyboardInterrupt):
        interruption.tell()
        code = interruption.exit_code()
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int | None:
    """The exit code of a command that ended well."""
    out = sys.stdout
    try:
        code: int | None = _root().main(arguments, prog_name="spotlab", standalone_mode=False)
    except SystemExit:
        if sys.stdout is out:
            raise
        return 0  # click has put the output away: whoever read it has enough of it
    return code


def _root() -> click.Group:
    # made here and not in the module, where `discover` would take it for one of the commands
    root = FolderGroup(
        "spotlab.cli",
        "spotlab.cli",
        "spotlab.lab.commands",  # by its name: nothing outside the laboratory imports it
        name="spotlab",
        help="Annotate document images and evaluate spotting results. Without a command, the "
        "window opens.",
        invoke_without_command=True,
        callback=_without_command,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    return click.version_option(__version__, message="%(prog)s %(version)s")(root)


@click.pass_context
def _without_command(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        open_window([])


def _in_one_line(error: click.ClickException) -> str:
    """Return what click says, which it may lay out in several lines."""
    if isinstance(error, click.NoSuchOption) and error.ctx:
        options = [name for each in error.ctx.command.params for name in each.opts]
        return f"there is no option {error.option_name}{_alike(error.option_name, options)}"
    return " ".join(error.format_message().split())


def _fail_without_package(error: ImportError) -> None:
    """Say what is not installed; raise the error again where nothing is known of it."""
    from spotlab.extras import missing_package  # noqa: PLC0415

    missing = missing_package(error)
    if missing is None:
        raise error
    _fail(str(missing))


def _fail(message: str) -> None:
    if interruption.is_cancelled():  # whatever went wrong, it was because of that
        interruption.end()
    say("spotlab: " + shortened(message, LONGEST), err=True)
    sys.exit(2)
