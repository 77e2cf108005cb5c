"""The machine code that lays templates on pages; ``python -m`` with this module stores it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from spotlab.geometry.machine_code import MachineCode

CHAMFER = MachineCode(
    "chamfer",
    tuple(
        Path(__file__).with_name(f"{name}.py") for name in ("chamfer_kernels", "chamfer_reference")
    ),
    "spotlab.spotting.symbols.alignment.machine_code",
)


def warm_up() -> None:
    """Search a small page, which calls all of it, and note that it is stored."""
    from spotlab.spotting.symbols.engine.feature_extraction import see_ink, see_model  # noqa: PLC0415
    from spotlab.spotting.symbols.engine.query_model import drawn  # noqa: PLC0415
    from spotlab.spotting.symbols.methods.alignment import METHOD  # noqa: PLC0415 - uses this

    box = [(0, 0), (60, 0), (60, 40), (0, 40), (0, 0)]
    model = drawn("box", [box, [(0, 0), (60, 40)]], pen=3)
    ink = np.pad(model.ink, 80)
    METHOD.spot(see_ink(ink, [METHOD]), see_model(model, [METHOD]))
    CHAMFER.mark_stored()


if __name__ == "__main__":
    warm_up()
