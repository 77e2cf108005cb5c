"""Storage location of the machine code for the characters' likelihoods."""

from __future__ import annotations

from pathlib import Path

from spotlab.geometry.compiled.machine_code import MachineCode

CHARACTERS = MachineCode(
    "characters",
    (Path(__file__).with_name("character_kernels.py"),),
    "spotlab.spotting.words.embedding.character_compiled",
)
