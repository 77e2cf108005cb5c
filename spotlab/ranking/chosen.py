"""The value of one fusion's setting: what a person chose, or the usual one."""

from __future__ import annotations

from math import inf

from spotlab.ranking.fusion import Choices, Setting


def chosen(choices: Choices, setting: Setting, least: float = -inf, below: float = inf) -> float:
    """Look the setting up in ``choices.more``.

    Raises
    ------
    ValueError
        It is less than ``least``, or not below ``below``.

    Examples
    --------
    >>> chosen(Choices(more={"reach": 0.9}), Setting("reach", "How far", 0.95))
    0.9
    """
    value = choices.more.get(setting.name, setting.usual)
    if not least <= value < below:
        raise ValueError(
            f"{setting.name} is {value:g}; expected {least:g} or more, below {below:g}"
        )
    return value


def chosen_count(choices: Choices, setting: Setting, least: int = 1) -> int:
    """Look up a setting that counts something."""
    return round(chosen(choices, setting, least))
