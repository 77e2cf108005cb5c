"""The value of one setting of a fusion: what the user chose, or the default."""

from __future__ import annotations

from math import inf

from spotlab.ranking.fusion import Choices, Setting


def setting_value(
    choices: Choices, setting: Setting, minimum: float = -inf, below: float = inf
) -> float:
    """Look up the value of a setting.

    Parameters
    ----------
    choices : Choices
        Values by name are in ``choices.more``.
    setting : Setting
        Its name and default.
    minimum : float
        Smallest value allowed, in the setting's own unit (a share, a power, a number of items).
    below : float
        The value has to be below this one.

    Returns
    -------
    float
        The default if nothing was chosen.

    Raises
    ------
    ValueError
        The value is less than ``minimum``, or not below ``below``.

    Examples
    --------
    >>> setting_value(Choices(more={"reach": 0.9}), Setting("reach", "How far", 0.95))
    0.9
    """
    value = choices.more.get(setting.name, setting.default)
    if not minimum <= value < below:
        raise ValueError(
            f"{setting.name} is {value:g}; expected {minimum:g} or more, below {below:g}"
        )
    return value


def setting_count(choices: Choices, setting: Setting, minimum: int = 1) -> int:
    """Look up a setting that is a number of items.

    Parameters
    ----------
    choices : Choices
        Values by name are in ``choices.more``.
    setting : Setting
        Its name and default.
    minimum : int
        Smallest value allowed.

    Returns
    -------
    int
        Rounded to the nearest whole number.

    Raises
    ------
    ValueError
        The value is less than ``minimum``.

    Examples
    --------
    >>> setting_count(Choices(), Setting("neighbours", "Number of neighbours", 8.0))
    8
    """
    return round(setting_value(choices, setting, minimum))
