"""Networks from outside run in a process of their own: each is used or refused by name."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import BadInput
from spotlab.learning.words.network import weights_of, with_weights
from spotlab.resources import needed_model
from spotlab.spotting.networks import ConfinedEngine
from spotlab.spotting.words.embedding.network import SHIPPED, read_network

PICTURES = np.random.default_rng(0).integers(0, 256, (6, 48, 160), np.uint8)


def content() -> bytes:
    return needed_model(SHIPPED).read_bytes()


def test_a_network_from_outside_says_what_the_shipped_one_says(tmp_path: Path) -> None:
    file = tmp_path / "mine.onnx"
    shutil.copy(needed_model(SHIPPED), file)
    mine, shipped = read_network(file), read_network(needed_model(SHIPPED))
    assert isinstance(mine._network._engine, ConfinedEngine)
    assert not isinstance(shipped._network._engine, ConfinedEngine)
    one, other = mine.describe_pictures(PICTURES), shipped.describe_pictures(PICTURES)
    assert np.allclose(one.embedding, other.embedding, atol=1e-2)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_none_are_refused(tmp_path: Path, value: float) -> None:
    file = tmp_path / "strange.onnx"
    weights = weights_of(content())
    weights["embed.b"] = np.full_like(weights["embed.b"], value)
    file.write_bytes(with_weights(content(), weights))
    with pytest.raises(BadInput, match=r"strange\.onnx: it yields values that are no numbers"):
        read_network(file)


@pytest.mark.slow
def test_damaged_networks_are_refused_or_run(tmp_path: Path) -> None:
    random, whole = np.random.default_rng(3), content()
    file = tmp_path / "damaged.onnx"
    for number in range(12):
        damaged = bytearray(whole)
        for at in random.integers(0, len(damaged), 200):
            damaged[at] = random.integers(256)
        file.write_bytes(damaged if number % 3 else damaged[: len(damaged) // 2])
        os.utime(file, (number, number))
        try:
            read_network(file).describe_pictures(PICTURES)
        except BadInput as problem:
            assert "damaged.onnx" in str(problem) and "\n" not in str(problem)


@pytest.mark.slow
def test_a_network_whose_process_has_ended_gets_another_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.onnx"
    shutil.copy(needed_model(SHIPPED), file)
    network = read_network(file)
    engine = network._network._engine
    assert isinstance(engine, ConfinedEngine) and engine._worker is not None
    os.kill(engine._worker.process.pid, signal.SIGKILL)
    engine._worker.process.wait()
    assert len(network.describe_pictures(PICTURES)) == 6
