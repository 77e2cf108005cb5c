"""Compiles and stores the machine code of the characters: ``python -m`` with this module."""

from __future__ import annotations

import numpy as np

from spotlab.spotting.words.embedding.character_kernels import (
    log_likelihoods,
    span_log_likelihoods,
)
from spotlab.spotting.words.embedding.characters import (
    log_of_steps,
    text_paths,
)
from spotlab.spotting.words.embedding.machine_code import CHARACTERS


def warm_up() -> None:
    """Call all functions, and note that they are stored."""
    paths, lengths = text_paths([np.array([0])])
    one = np.zeros(1, np.int64)
    log_likelihoods(
        np.zeros((1, 4, 2), np.uint8), np.exp(log_of_steps(4)), one, paths, lengths, one
    )
    span_log_likelihoods(
        np.zeros((4, 2), np.uint8), np.exp(log_of_steps(4)), np.ones(4), np.array([[0, 4]]),
        paths[0],
    )  # fmt: skip
    CHARACTERS.mark_stored()


if __name__ == "__main__":
    warm_up()
