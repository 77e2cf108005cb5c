"""Ink settings as JSON values, and as a short text for provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from spotlab.imaging.ink import InkMethod, InkSettings
from spotlab.imaging.ink_tone import InkTone


def settings_as_values(settings: InkSettings) -> dict[str, Any]:
    """Turn ink settings into values that JSON has.

    Parameters
    ----------
    settings : InkSettings

    Examples
    --------
    >>> settings_as_values(InkSettings(colour=(0, 0, 9)))["colour"]
    [0, 0, 9]
    """
    colour = None if settings.colour is None else list(settings.colour)
    return {
        **asdict(settings),
        "method": str(settings.method),
        "colour": colour,
        "tone": str(settings.tone),
    }


def settings_from_values(values: Mapping[str, Any]) -> InkSettings:
    """Read ink settings; the default where the values make no sense.

    Parameters
    ----------
    values : mapping
        As from `settings_as_values`; missing ones are the default's.

    Examples
    --------
    >>> settings_from_values({"method": "wolf", "specks": 4}).specks
    4
    >>> settings_from_values({"method": "later"}) == InkSettings()
    True
    """
    try:
        method = InkMethod(values.get("method", InkSettings.method))
        tone = InkTone(values.get("tone", InkSettings.tone))
        colour = values.get("colour")
        colour = None if colour is None else tuple(int(part) for part in colour)
        return InkSettings(**{**values, "method": method, "colour": colour, "tone": tone})
    except (TypeError, ValueError):
        return InkSettings()  # written by another version


def ink_text(settings: InkSettings) -> str:
    """Say in a line what differs from the default of the method.

    Parameters
    ----------
    settings : InkSettings

    Examples
    --------
    >>> ink_text(InkSettings(InkMethod.EVEN, rulings=True, specks=6))
    'even rulings=True specks=6'
    """
    plain = InkSettings(settings.method)
    parts = [
        f"{name}={value}".replace(" ", "")
        for name, value in vars(settings).items()
        if value != getattr(plain, name)
    ]
    return " ".join([str(settings.method), *parts])
