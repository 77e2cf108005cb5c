"""`spotlab train words`: exact with steps, continued after an interruption, better than chance."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from matplotlib import get_data_path

from spotlab.cli.root import _root
from spotlab.errors import BadInput, Cancelled, SpotlabError
from spotlab.lab.train.word_training import train_words
from spotlab.learning import runs
from spotlab.learning.runs import TrainingSettings, state_file
from spotlab.learning.words.hands import Font, alphabet_of, read_fonts, words_of
from spotlab.learning.words.network import weights_of, with_properties, with_weights
from spotlab.learning.words.writer import Writer
from spotlab.spotting.networks import metadata_of
from spotlab.spotting.words.embedding.characters import log_likelihoods
from spotlab.spotting.words.embedding.network import read_network

needs_torch = pytest.mark.skipif(
    not (importlib.util.find_spec("torch") and importlib.util.find_spec("onnx")),
    reason="the extra spotlab[learn] is not installed",
)
LISTED = "letters\norders\ncompany\nregiment\nbusiness\ninstructions\nwagon\nfort\n"
GREEK = "λόγος\nθεός\nἄνθρωπος\nπόλεμος\nδύναμις\nἡμέρα\nβασιλεύς\nκαρπός\n"
SHORT = TrainingSettings(steps=3, batch=4)


@pytest.fixture
def fonts(tmp_path: Path) -> list[Font]:
    folder = tmp_path / "fonts"
    folder.mkdir()
    for name in ("DejaVuSans", "DejaVuSerif-Italic", "STIXGeneralItalic"):
        file = Path(get_data_path()) / "fonts" / "ttf" / f"{name}.ttf"
        (folder / file.name).write_bytes(file.read_bytes())
    return read_fonts(folder)


def test_without_the_extra_there_is_one_clear_error(
    fonts: list[Font], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SpotlabError, match=r"pip install spotlab\[learn\]"):
        train_words(fonts, words_of(LISTED), tmp_path / "words.onnx", SHORT)
    (tmp_path / "words.txt").write_text(LISTED)
    arguments = ["train", "words", "--fonts", str(tmp_path / "fonts"), "--words"]
    arguments += [str(tmp_path / "words.txt"), "--out", str(tmp_path / "words.onnx")]
    ended = CliRunner().invoke(_root(), arguments)
    assert ended.exit_code != 0
    assert not (tmp_path / "words.onnx").exists()


@needs_torch
def test_steps_make_the_same_network_again_and_go_on_after_an_interruption(
    fonts: list[Font], tmp_path: Path
) -> None:
    words = words_of(LISTED)
    files = [tmp_path / f"{name}.onnx" for name in "ab"]
    for file in files:
        assert train_words(fonts, words, file, SHORT).ended
    one, two = (weights_of(file.read_bytes()) for file in files)
    assert all(np.array_equal(one[name], two[name]) for name in one)

    def stop(done: int, _total: int | None, _doing: str) -> None:
        if done > 500:
            raise Cancelled

    cut = train_words(fonts, words, files[0], SHORT, stop)
    assert (cut.steps, cut.ended, cut.resumed) == (2, False, False)
    assert state_file(files[0]).exists()
    rest = train_words(fonts, words, files[0], SHORT)
    assert (rest.steps, rest.ended, rest.resumed) == (3, True, True)
    assert not state_file(files[0]).exists()


@needs_torch
def test_a_network_learns_on_from_another_one(fonts: list[Font], tmp_path: Path) -> None:
    words, first, more = words_of(LISTED), tmp_path / "first.onnx", tmp_path / "more.onnx"
    train_words(fonts, words, first, SHORT)
    began = weights_of(first.read_bytes())
    train_words(fonts, words, more, SHORT, start=first)
    ended = weights_of(more.read_bytes())
    moved = [np.abs(ended[name] - began[name]).max() for name in began]
    assert 0 < max(moved) < 0.1  # a new one would be elsewhere altogether
    assert metadata_of(more.read_bytes())["learned_on_from"]
    own = {"hand.w": began["hand.w"] * 2}
    first.write_bytes(with_weights(first.read_bytes(), own))
    with pytest.raises(BadInput, match="adapted to a hand"):
        train_words(fonts, words, more, SHORT, start=first)
    first.write_bytes(b"no network")
    arguments = ["train", "words", "--fonts", str(tmp_path / "fonts"), "--words"]
    (tmp_path / "words.txt").write_text(LISTED)
    arguments += [str(tmp_path / "words.txt"), "--out", str(more), "--from", str(first)]
    said = CliRunner().invoke(_root(), arguments)
    assert isinstance(said.exception, BadInput) and "first.onnx" in str(said.exception)


@needs_torch
def test_the_alphabet_is_that_of_the_words_or_is_named(fonts: list[Font], tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text(GREEK, "utf-8")
    known = []
    for name, more in (("own", []), ("few", ["--alphabet", "θεόσλγ12"])):
        arguments = ["train", "words", "--fonts", str(tmp_path / "fonts"), "--words"]
        arguments += [str(tmp_path / "words.txt"), "--out", str(tmp_path / f"{name}.onnx")]
        ended = CliRunner().invoke(_root(), [*arguments, "--steps", "2", "--batch", "4", *more])
        assert ended.exit_code == 0, ended.output
        known.append(read_network(tmp_path / f"{name}.onnx").alphabet.characters)
    assert set("λογσθεανρωπ") < set(known[0])
    assert known[1] == "θεόσλγ12"
    with pytest.raises(BadInput, match="it reads"):
        train_words(
            fonts, words_of(LISTED), tmp_path / "words.onnx", SHORT, start=tmp_path / "few.onnx"
        )


@needs_torch
def test_weights_and_metadata_of_a_file_are_replaced(fonts: list[Font], tmp_path: Path) -> None:
    file = tmp_path / "words.onnx"
    train_words(fonts, words_of(LISTED), file, SHORT)
    content = file.read_bytes()
    weights = weights_of(content)
    weights["phoc.b"] = weights["phoc.b"] + 1
    changed = with_properties(with_weights(content, weights), {"of": "me", "alphabet": "x"})
    assert np.array_equal(weights_of(changed)["phoc.b"], weights["phoc.b"].astype(np.float16))
    assert metadata_of(changed)["of"] == "me"
    assert metadata_of(changed)["alphabet"] == "x"
    with pytest.raises(ValueError, match="no weights other"):
        with_weights(content, {"other": weights["phoc.b"]})
    with pytest.raises(ValueError, match="no weights in half precision"):
        weights_of(b"")


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("listed", [LISTED, GREEK])
def test_a_minute_of_training_is_far_better_than_chance(
    fonts: list[Font], tmp_path: Path, listed: str
) -> None:
    alphabet = alphabet_of(listed)
    file, words = tmp_path / "words.onnx", words_of(listed, alphabet=alphabet)
    settings = TrainingSettings(steps=200, batch=32, seed=1)
    train_words(fonts, words, file, settings, alphabet=alphabet)
    network = read_network(file)
    writer = Writer([font.path for font in fonts], 99, alphabet)
    texts = [word for word in words.known for _ in range(6)]
    found = network.describe_pictures(np.stack([writer.write(text) for text in texts]))
    likely = log_likelihoods(found.characters, [network.alphabet.numbers(w) for w in words.known])
    embedding = found.embedding.astype(np.float32)
    unit = embedding / np.linalg.norm(embedding, axis=1, keepdims=True)
    alike = unit @ unit.T - 2 * np.eye(len(unit))
    right = np.array(texts)[alike.argmax(axis=1)] == np.array(texts)
    read = np.array(words.known)[likely.argmax(axis=1)] == np.array(texts)
    assert right.mean() > 0.5 or read.mean() > 0.5  # by chance .11 and .13
