"""Storage location of the machine code for chamfer matching."""

from __future__ import annotations

from pathlib import Path

from spotlab.geometry.compiled.machine_code import MachineCode

CHAMFER = MachineCode(
    "chamfer",
    tuple(
        Path(__file__).with_name(f"{name}.py") for name in ("chamfer_kernels", "chamfer_reference")
    ),
    "spotlab.spotting.symbols.alignment.chamfer_compiled",
)
