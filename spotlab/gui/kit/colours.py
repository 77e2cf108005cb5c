"""The colours that a theme has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Colours:
    """What the window is painted with."""

    window: str  # chrome
    base: str  # lists and fields
    raised: str  # buttons, hovered rows
    line: str  # separators
    text: str
    quiet: str  # secondary text
    serious: str  # text of what needs an answer
    accent: str
    on_accent: str
