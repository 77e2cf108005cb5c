"""Writes the man page from the commands that there are."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from spotlab import __version__
from spotlab.cli.root import _root

HEAD = """.TH SPOTLAB 1 "{date}" "spotlab {version}" "User Commands"
.SH NAME
spotlab \\- draw the ground truth of document images, and evaluate spotting systems
.SH SYNOPSIS
.B spotlab
[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]
.SH DESCRIPTION
Draw the ground truth of document images, and evaluate the systems that spot symbols and words in
them. Without a command, the window opens. Each study of the window is also a command.
"""
FOOT = """.SH EXIT STATUS
.TP
.B 0
The command ended well.
.TP
.B 2
It failed; one line on standard error says why.
.TP
.B 130, 143
It was cancelled by Ctrl+C, or by SIGTERM.
.SH ENVIRONMENT
.TP
.B QT_QPA_PLATFORM
The platform of Qt: \\fBxcb\\fR, \\fBwayland\\fR or \\fBoffscreen\\fR.
.TP
.B QT_SCALE_FACTOR
The size of the window's text and controls, for example 1.5.
.TP
.B NUMBA_CACHE_DIR
The folder for machine code, instead of the user's cache.
.TP
.B XDG_CACHE_HOME, XDG_CONFIG_HOME, XDG_DATA_HOME
Where the folders of the next section are, instead of in the home folder.
.SH FILES
.TP
.I ~/.cache/spotlab
What searches have extracted of pages, and machine code. It can be deleted at any time.
.TP
.I ~/.config/spotlab
Settings, and what was open last.
.TP
.I ~/.local/share/spotlab
The user's copy of the sample collection.
.SH SEE ALSO
The help of the window, by F1; \\fBspotlab doctor\\fR for what is missing on a machine.
"""


def man_page(date: str) -> str:
    """The page in roff.

    Parameters
    ----------
    date : str
        Of the release, as in 2026-01-31.
    """
    lines = [HEAD.format(date=date, version=__version__), ".SH COMMANDS\n"]
    for name, command in leaves(_root()):
        lines += _of_command(name, command)
    return "".join(lines) + FOOT


def leaves(group: click.Group, before: str = "spotlab") -> Iterator[tuple[str, click.Command]]:
    """All commands that do something, with their full names."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from leaves(command, f"{before} {name}")
        elif command is not None:
            yield f"{before} {name}", command


def _of_command(name: str, command: click.Command) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(click.Context(command)))
    yield f".SS {_escaped(f'{name} {usage}')}\n"
    yield from _paragraphs(inspect.cleandoc(command.help or ""))
    context = click.Context(command, info_name=name)
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            names, text = record
            yield f".TP\n.B {_escaped(names)}\n{_escaped(' '.join(text.split()))}\n"


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        yield (".PP\n" if number else "") + _escaped(" ".join(paragraph.split())) + "\n"


def _escaped(text: str) -> str:
    """The text as roff takes it; a line must not begin with a point or an apostrophe."""
    text = text.replace("\b", "").replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text
