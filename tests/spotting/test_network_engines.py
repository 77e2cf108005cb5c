"""Networks say the same whichever library runs them, and one line says that a file is none."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from spotlab import extras
from spotlab.extras import MissingPackage
from spotlab.imaging.reading.pixels import read_page
from spotlab.resources import LETTERS, needed_model, sample_collection
from spotlab.spotting import networks
from spotlab.spotting.networks import ENGINE, NetworkEngine, NotRunnable, prepare_network

WORDS, SYMBOLS = "words.onnx", "symbols.onnx"
SEEN = {
    WORDS: ("images", (16, 1, 48, 160), ["embedding", "attributes", "characters"]),
    SYMBOLS: ("pictures", (4, 1, 48, 48), ["embedding", "symbol"]),
}


def by_runtime(content: bytes) -> NetworkEngine:
    pytest.importorskip(ENGINE)
    return prepare_network(content)


def by_opencv(content: bytes, problem: ImportError | None = None) -> NetworkEngine:
    def fail(name: str) -> None:
        raise problem or MissingPackage("not installed")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(networks, "optional_module", fail)
        return prepare_network(content)


ENGINES = [by_opencv, by_runtime]
Prepare = Callable[[bytes], NetworkEngine]


@pytest.mark.parametrize("model", [WORDS, SYMBOLS])
def test_both_engines_say_the_same(model: str) -> None:
    content = needed_model(model).read_bytes()
    name, shape, outputs = SEEN[model]
    given = np.random.default_rng(1).random(shape, np.float32)
    one, other = (prepare(content).run(given, name, outputs) for prepare in ENGINES)
    for first, second in zip(one, other, strict=True):
        assert first.shape == second.shape and len(first) == shape[0]
        np.testing.assert_allclose(first, second, rtol=1e-3, atol=1e-4)
        assert np.ptp(first) > 0


def test_both_engines_read_the_words_of_a_page() -> None:
    page = read_page(sample_collection(LETTERS) / "letter_001.jpg")
    words = np.stack([page[top : top + 48, 300:460] for top in range(200, 1100, 100)])[:, None]
    content, (name, _, outputs) = needed_model(WORDS).read_bytes(), SEEN[WORDS]
    given = 1 - np.asarray(words, np.float32) / 255
    one, other = (prepare(content).run(given, name, outputs) for prepare in ENGINES)
    for first, second in zip(one, other, strict=True):
        assert np.isfinite(first).all()
        seen, wanted = (np.maximum(each, -80) for each in (first, second))  # logarithms, too
        np.testing.assert_allclose(seen, wanted, rtol=1e-3, atol=2e-3)


@pytest.mark.parametrize("prepare", ENGINES)
@pytest.mark.parametrize("content", [b"", b"no network", b"\x08\x08", "half"])
def test_what_is_no_network_is_told(prepare: Prepare, content: bytes | str) -> None:
    if content == "half":
        whole = needed_model(SYMBOLS).read_bytes()
        content = whole[: len(whole) // 2]
    assert isinstance(content, bytes)
    with pytest.raises(NotRunnable):
        prepare(content).run(np.zeros(SEEN[SYMBOLS][1], np.float32), "pictures", ["symbol"])


@pytest.mark.parametrize("prepare", ENGINES)
def test_outputs_that_a_network_does_not_have_are_told(prepare: Prepare) -> None:
    engine = prepare(needed_model(SYMBOLS).read_bytes())
    name, shape, _ = SEEN[SYMBOLS]
    with pytest.raises(NotRunnable):
        engine.run(np.zeros(shape, np.float32), name, ["words"])


@pytest.mark.parametrize("prepare", ENGINES)
def test_threads_share_a_network(prepare: Prepare) -> None:
    name, shape, outputs = SEEN[SYMBOLS]
    engine = prepare(needed_model(SYMBOLS).read_bytes())
    given = [np.random.default_rng(seed).random(shape, np.float32) for seed in range(4)]
    alone = [engine.run(each, name, outputs)[0] for each in given]
    found: dict[int, np.ndarray] = {}

    def run(number: int) -> None:
        for _ in range(5):
            [found[number], _] = engine.run(given[number], name, outputs)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(4):
        np.testing.assert_allclose(found[number], alone[number], rtol=1e-5, atol=1e-6)


def test_opencv_runs_networks_where_the_runtime_cannot_be_loaded() -> None:
    content = needed_model(SYMBOLS).read_bytes()
    kinds = {
        type(by_opencv(content, problem))
        for problem in (MissingPackage("not installed"), ImportError("DLL load failed"))
    }
    assert len(kinds) == 1
    assert kinds != {type(by_runtime(content))}


def test_it_is_in_the_extra_that_makes_things_fast() -> None:
    [package] = [each for each in extras.OPTIONAL if each.module == ENGINE]
    assert package.extra == "fast"
