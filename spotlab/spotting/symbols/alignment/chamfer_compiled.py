"""Compiles and stores the machine code of chamfer matching: ``python -m`` with this module."""

from __future__ import annotations

import numpy as np

from spotlab.spotting.symbols.alignment.chamfer_reference import CHAMFER
from spotlab.spotting.symbols.alignment.stroke_alignment import StrokeAlignment
from spotlab.spotting.symbols.engine.method import features_of_ink, features_of_model
from spotlab.spotting.symbols.engine.page_features import draw_model


def warm_up() -> None:
    """Search a small page, which calls all functions, and note that they are stored."""
    box = [(0, 0), (60, 0), (60, 40), (0, 40), (0, 0)]
    model = draw_model("box", [box, [(0, 0), (60, 40)]], pen=3)
    ink = np.pad(model.ink, 80)
    method = StrokeAlignment()
    method.spot(features_of_ink(ink, [method]), features_of_model(model, [method]))
    CHAMFER.mark_stored()


if __name__ == "__main__":
    warm_up()
