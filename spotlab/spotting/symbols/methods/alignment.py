"""Offers method e, alignment of strokes."""

from __future__ import annotations

from spotlab.spotting.symbols.alignment.stroke_alignment import StrokeAlignment

METHOD = StrokeAlignment()
