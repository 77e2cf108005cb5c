"""Likelihoods of texts given the characters along words, in machine code: see `characters`."""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.spotting.words.embedding.machine_code import CHARACTERS


@CHARACTERS.compiled
def log_likelihoods(
    stored: NDArray[np.uint8], probability: Floats, words: Ints, paths: Ints, lengths: Ints,
    texts: Ints,
) -> Floats:  # fmt: skip
    """See `spotlab.spotting.words.embedding.characters.log_likelihoods`; a text for each word."""
    places = stored.shape[1]
    result = np.empty(len(words))
    sums = np.zeros(paths.shape[1] + 2)
    for pair in range(len(words)):
        rows, path = stored[words[pair]], paths[texts[pair]]
        size = lengths[texts[pair]]
        sums[: size + 2] = 0.0
        sums[2] = probability[rows[0, 0]]
        if size > 1:
            sums[3] = probability[rows[0, path[1]]]
        for place in range(1, places):
            row = rows[place]
            blank = probability[row[0]]
            first = max(0, size - 2 * (places - place))
            last = min(size - 1, 2 * place + 1)
            for state in range(last, first - 1, -1):
                arrived = sums[state + 2] + sums[state + 1]
                if state % 2 == 0:
                    sums[state + 2] = arrived * blank
                    continue
                if state > 1 and path[state] != path[state - 2]:
                    arrived += sums[state]
                sums[state + 2] = arrived * probability[row[path[state]]]
        whole = sums[size + 1] + (sums[size] if size > 1 else 0.0)
        result[pair] = log(whole) if whole > 0 else -np.inf
    return result


@CHARACTERS.compiled
def span_log_likelihoods(
    characters: NDArray[np.uint8], probability: Floats, inside: Floats, spans: Ints, path: Ints
) -> Floats:
    """See `spotlab.spotting.words.embedding.line_characters.span_log_likelihoods`."""
    size = len(path)
    result = np.empty(len(spans))
    sums = np.zeros(size + 2)
    for pair in range(len(spans)):
        first, stop = spans[pair, 0], spans[pair, 1]
        sums[:] = 0.0
        scale = 0.0
        for place in range(first, stop):
            row = characters[place]
            most = 0.0
            for state in range(size - 1, -1, -1):
                code = path[state]
                arrived = sums[state + 2] + sums[state + 1]
                if place == first:
                    arrived = 1.0 if state == 0 or (state == 1 and path[0] <= 0) else 0.0
                elif state > 1 and code != 0 and path[state - 1] <= 0 and code != path[state - 2]:
                    arrived += sums[state]
                sums[state + 2] = arrived * (inside[place] if code < 0 else probability[row[code]])
                most = max(most, sums[state + 2])
            if 0.0 < most < 1e-100:
                sums /= most
                scale += log(most)
        whole = sums[size + 1] + (sums[size] if size > 1 and path[size - 1] <= 0 else 0.0)
        result[pair] = log(whole) + scale if whole > 0 else -np.inf
    return result
