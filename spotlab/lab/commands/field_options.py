"""Makes a command's options of a dataclass, so that a new field needs no second place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar, get_type_hints

import click

from spotlab.api.settings import setting_texts

Function = TypeVar("Function", bound=Callable[..., Any])


def field_options(kind: type) -> Callable[[Function], Function]:
    """Give a command an option for each field of a dataclass.

    Parameters
    ----------
    kind : type
        A dataclass of numbers and truth values whose docstring has a numpydoc section "Attributes".

    Returns
    -------
    decorator
        The command is called with an argument for every field, None where nothing was said.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Pen:
    ...     '''A pen.
    ...
    ...     Attributes
    ...     ----------
    ...     line_width : float
    ...         In px.
    ...     '''
    ...     line_width: float = 2
    >>> @click.command()
    ... @field_options(Pen)
    ... def draw(line_width):
    ...     pass
    >>> option = draw.params[0]
    >>> option.opts, option.help
    (['--line-width'], 'In px.  [default: 2]')
    """
    texts = setting_texts(kind)
    types = get_type_hints(kind)

    def decorate(function: Function) -> Function:
        for field in reversed(fields(kind)):
            option = field.name.replace("_", "-")
            is_flag = types[field.name] is bool
            text = texts[field.name].text if field.name in texts else ""
            default = {True: "yes", False: "no"}[field.default] if is_flag else field.default
            function = click.option(
                f"--{option}/--no-{option}" if is_flag else f"--{option}",
                field.name,
                type=types[field.name],
                default=None,
                help=f"{text}  [default: {default}]",
            )(function)
        return function

    return decorate
