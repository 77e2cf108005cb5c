"""What words are compared by."""

from __future__ import annotations

from enum import StrEnum


class WordDescriptor(StrEnum):
    """What words are compared by."""

    STROKES = "strokes"
    LEARNED = "learned"
    BOTH = "both"


TITLES = {
    WordDescriptor.STROKES: "Strokes",
    WordDescriptor.LEARNED: "Learned",
    WordDescriptor.BOTH: "Strokes and learned",
}
DEFINITIONS = {
    WordDescriptor.STROKES: "Directions of strokes next to each other. Nothing is trained; only "
    "transcribed words can be typed.",
    WordDescriptor.LEARNED: "A network trained on words drawn by fonts of handwriting. Best for "
    "pages by several writers.",
    WordDescriptor.BOTH: "The weighted mean of both similarities. Best for pages by one writer.",
}
