"""A network is adapted to a hand: what is certain, what is held out, what is kept."""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.cli.root import _root
from spotlab.errors import BadArgument, Cancelled, SpotlabError
from spotlab.formats.lists.kept_lines import ListedQuery, typed_place
from spotlab.learning.words.hand import adapting, light
from spotlab.learning.words.hand.adapting import (
    AdaptedNetwork,
    AdaptingSettings,
    HandFigures,
    adapt_network,
    hand_figures,
    held_out,
)
from spotlab.learning.words.hand.hand_words import HandWords, cut_words
from spotlab.learning.words.hand.light import ctc_gradient
from spotlab.learning.words.network import (
    weights_of,
    with_outputs,
    with_weights,
    with_weights_between,
)
from spotlab.model.ranked_list import Items
from spotlab.progress import Progress
from spotlab.resources import LETTERS, sample_collection
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.words.embedding.network import (
    Described,
    WordNetwork,
    cut_pictures,
    read_network,
)
from spotlab.spotting.words.extraction.descriptor import WordDescriptor
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.feature_space import (
    NAME,
    adaptation_of,
    with_adapted,
    write_adapted,
)
from spotlab.spotting.words.readings import Lexicon
from spotlab.studies.words import adapting as study
from spotlab.studies.words.transcription import judged_texts, texts_of
from spotlab.studies.words.word_truth import read_words

NETWORK = Path(__file__).parents[2] / "resources/models/words.onnx"
HAS_TORCH = all(importlib.util.find_spec(name) is not None for name in ("torch", "onnx"))
LEXICON = Lexicon.of({"the": 9, "of": 5, "orders": 1})

pytestmark = pytest.mark.skipif(
    not NETWORK.is_file(), reason="the network of words is not installed"
)


@pytest.fixture(scope="module")
def network() -> WordNetwork:
    return read_network(NETWORK)


@pytest.fixture(scope="module")
def words() -> HandWords:
    """Words of a sample letter, half of them known."""
    import cv2  # noqa: PLC0415

    page = sample_collection(LETTERS) / "letter_001.jpg"
    read = read_words([page])
    chosen = np.arange(min(60, len(read)))
    texts = [read.text(item) if item % 2 else None for item in chosen.tolist()]
    return cut_words(cv2.imread(str(page), 0), read.boxes[chosen], texts)


@pytest.mark.parametrize("turn", [1, -1])
def test_turned_words_are_cut_as_level_ones(turn: int) -> None:
    page = np.random.default_rng(3).integers(0, 255, (90, 200)).astype(np.uint8)
    left, top, right, bottom = 60.0, 40.0, 120.0, 60.0
    there = {
        1: (top, 200 - right, bottom, 200 - left),
        -1: (90 - bottom, left, 90 - top, right),
    }[turn]
    level = cut_pictures(page, [(left, top, right, bottom)])
    turned = cut_words(np.rot90(page, turn), np.array([there]), turns=turn)
    np.testing.assert_array_equal(turned.pictures(), level)


@settings(max_examples=20, deadline=None)
@given(
    places=st.integers(1, 6),
    texts=st.lists(st.lists(st.integers(0, 2), max_size=3), min_size=1, max_size=3),
    seed=st.integers(0, 99),
)
def test_the_gradient_is_how_losses_change(places: int, texts: list[list[int]], seed: int) -> None:
    logits = np.random.default_rng(seed).standard_normal((len(texts), places, 4))
    numbers = [np.array(text, np.int64) for text in texts]

    def losses(logits: np.ndarray) -> np.ndarray:
        seen = logits - np.log(np.exp(logits).sum(axis=2, keepdims=True))
        return ctc_gradient(seen, numbers)[0]

    seen = logits - np.log(np.exp(logits).sum(axis=2, keepdims=True))
    found, gradient = ctc_gradient(seen, numbers)
    finite = np.isfinite(found)
    for place in range(places):
        for symbol in range(4):
            moved = logits.copy()
            moved[:, place, symbol] += 1e-6
            change = (losses(moved)[finite] - found[finite]) / 1e-6
            assert change == pytest.approx(gradient[finite, place, symbol], abs=1e-4)
    assert not gradient[~finite].any()


def test_texts_as_a_person_said_them() -> None:
    here, there, nowhere = (("a", float(left), 0.0, left + 40.0, 20.0) for left in (0, 100, 200))
    queries = [
        ListedQuery("orders", here),
        ListedQuery("", there),
        ListedQuery("typed", typed_place("typed")),
    ]
    judged = {
        "orders": {there: True, nowhere: False},
        "a:100,0,40,20": {nowhere: True},  # a query without a name says nothing
    }
    assert judged_texts(queries, judged) == (("orders", here), ("orders", there))
    assert judged_texts(queries, {**judged, "the": {there: True}}) == (("orders", here),)
    known = texts_of(Items(("a",), [0], [[0, 0, 40, 20]], ("Orders,",)), queries, judged)
    assert (len(known.transcribed), len(known.judged)) == (1, 2)
    apart = study._without_repeats(known, {"a": 0})
    assert apart.texts == ("Orders,", "orders")  # where it is transcribed, that counts
    assert len(study._without_repeats(known, {"b": 0})) == 0


def test_words_that_are_held_out_are_whole_texts() -> None:
    texts = [f"word{number % 20}" for number in range(60)] + ["ab"] * 40 + [""] * 10
    rows = held_out(texts)
    apart = {texts[row] for row in rows.tolist()}
    assert len(apart) == 5
    assert not apart & {texts[row] for row in range(len(texts)) if row not in set(rows.tolist())}
    assert not len(held_out(["one", "two", "three"] * 5))  # too few to tell


def test_figures_by_hand(network: WordNetwork) -> None:
    """Two words of one text and one of another: the second place of two is 1/2."""
    embedding = np.array([[1, 0], [0, 1], [0.8, 0.6]], np.float16)
    whole = network.describe_pictures(np.zeros((3, 48, 160), np.uint8))
    said = Described(embedding, whole.attributes, whole.characters)
    found = hand_figures(network, said, ["one", "one", "two"], np.array([0, 1]))
    assert found.queries == 2
    assert found.by_example == pytest.approx(1 / 2)
    assert found.texts == 1
    assert hand_figures(network, said, ["", "", ""], np.zeros(0, np.int64)) == HandFigures()
    assert HandFigures().gain_over(HandFigures()) is None


def test_words_are_cut_out_as_pages_show_them(words: HandWords) -> None:
    import cv2  # noqa: PLC0415

    page = sample_collection(LETTERS) / "letter_001.jpg"
    boxes = read_words([page]).boxes[: len(words)]
    assert np.array_equal(words.pictures(), cut_pictures(cv2.imread(str(page), 0), boxes))


@pytest.mark.slow
def test_a_light_adaptation_changes_the_last_layers_only(
    network: WordNetwork, words: HandWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(light, "_STEPS", 3)
    monkeypatch.setattr(light, "_VIEWS", 1)
    wanted = AdaptingSettings(light=True, seed=3)
    made, again = (adapt_network(network, words, LEXICON, wanted) for _ in range(2))
    assert made.content == again.content
    before, after = weights_of(NETWORK.read_bytes()), weights_of(made.content)
    changed = {name for name in before if not np.array_equal(before[name], after[name])}
    assert {"ctc.w", "embed.w", "phoc.w"} <= changed <= set(light.HEADS)
    assert made.is_light
    assert made.known <= made.learned
    assert made.held_out > 0
    assert made.gain is not None
    assert with_outputs(NETWORK.read_bytes(), {}) == NETWORK.read_bytes()


def test_weights_go_a_part_of_the_way() -> None:
    content = NETWORK.read_bytes()
    bias = weights_of(content)["phoc.b"]
    other = with_weights(content, {"phoc.b": bias + 1})
    between = weights_of(with_weights_between(content, other, 0.25))
    assert between["phoc.b"] == pytest.approx(bias + 0.25, abs=2e-3)  # half precision
    assert np.array_equal(between["embed.w"], weights_of(content)["embed.w"])
    for share, end in ((0, content), (1, other)):
        there = weights_of(with_weights_between(content, other, share))
        assert all(np.array_equal(there[name], value) for name, value in weights_of(end).items())
    with pytest.raises(ValueError, match="two different networks"):
        with_weights_between(content, NETWORK.with_name("symbols.onnx").read_bytes(), 0.5)


def test_too_few_words_are_one_clear_error(network: WordNetwork, words: HandWords) -> None:
    few = HandWords(words.cuts[:9], words.boxes[:9], words.texts[:9])
    with pytest.raises(SpotlabError, match=f"and {adapting.FEWEST} are needed: transcribe"):
        adapt_network(network, few, LEXICON, AdaptingSettings(light=True))
    for wrong in ({"minutes": 0}, {"rounds": 0}, {"sureness": 2.0}):
        with pytest.raises(BadArgument):
            AdaptingSettings(**wrong)  # type: ignore[arg-type]


@pytest.mark.skipif(not HAS_TORCH, reason="the extra spotlab[learn] is not installed")
def test_steps_of_learning_can_be_repeated(network: WordNetwork, words: HandWords) -> None:
    wanted = AdaptingSettings(steps=4, rounds=2, batch=4, seed=5)
    made, again = (adapt_network(network, words, LEXICON, wanted) for _ in range(2))
    assert made.content == again.content
    assert not made.is_light
    other = adapt_network(network, words, LEXICON, replace(wanted, seed=6))
    assert other.content != made.content


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is found on the page, once for all tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "letters"
    folder.mkdir()
    for suffix in (".jpg", ".xml"):
        shutil.copy(sample_collection(LETTERS) / f"letter_001{suffix}", folder)
    return folder


def outcome(gain: float | None) -> Callable[..., AdaptedNetwork]:
    """An adaptation whose typed searches got better by this."""

    def adapt(network: WordNetwork, words: HandWords, *_: object) -> AdaptedNetwork:
        before = HandFigures() if gain is None else HandFigures(0, None, 4, 0.5)
        after = HandFigures() if gain is None else HandFigures(0, None, 4, 0.5 + gain)
        known = sum(text is not None for text in words.texts)
        return AdaptedNetwork(NETWORK.read_bytes(), True, 30, known, 9, before, after)

    return adapt


@pytest.mark.slow
@pytest.mark.parametrize(("gain", "kept"), [(0.1, True), (0.0, False), (-0.1, False), (None, True)])
def test_what_is_not_better_is_not_kept(
    pages: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, gain: float | None, kept: bool
) -> None:
    monkeypatch.setattr(study, "adapt_network", outcome(gain))
    entries, said = page_entries([pages]), read_words([pages])
    words = WordSettings(network=NETWORK)
    made = study.adapt_words(
        entries, texts_of(said, [], {}), words=words, boxes=said, lexicon=LEXICON,
        cache=cache,
    )  # fmt: skip
    assert made.kept is kept
    assert (pages / NAME).is_file() is kept
    if kept:
        read = read_network(pages / NAME)
        assert adaptation_of(read.metadata) == made.adaptation
        assert read.digest != read_network(NETWORK).digest  # its descriptions are not mixed


def test_cancelling_changes_nothing(pages: Path, cache: Path) -> None:
    write_adapted(pages / NAME, b"before")

    def stop(_done: int, _total: int | None, doing: str) -> None:
        if "looking" in doing:
            raise Cancelled

    listen: Progress = stop
    said = read_words([pages])
    with pytest.raises(Cancelled):
        study.adapt_words(
            page_entries([pages]), texts_of(said, [], {}), words=WordSettings(network=NETWORK),
            boxes=said, lexicon=LEXICON, settings=AdaptingSettings(light=True),
            cache=cache, progress=listen,
        )  # fmt: skip
    assert (pages / NAME).read_bytes() == b"before"


def test_searches_use_what_was_adapted(pages: Path) -> None:
    entries = page_entries([pages])
    assert with_adapted(WordSettings(), entries).network is None
    write_adapted(pages / NAME, NETWORK.read_bytes())
    assert with_adapted(WordSettings(), entries).network == pages.absolute() / NAME
    for settings_ in (
        WordSettings(adapted=False),
        WordSettings(network=NETWORK),
        WordSettings(descriptor=WordDescriptor.STROKES),
    ):
        assert with_adapted(settings_, entries) == settings_


@pytest.mark.slow
def test_the_command_says_figures_and_undoes(
    pages: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPOTLAB_MODELS", str(NETWORK.parent))
    monkeypatch.setattr(study, "adapt_network", outcome(0.25))
    kept, found = ["--cache", str(cache)], tmp_path / "found.json"
    arguments = ["adapt", "words", str(pages), "--given-boxes", *kept, "--json", str(found)]
    ended = CliRunner().invoke(_root(), arguments, catch_exceptions=False)
    assert ended.exit_code == 0
    assert "typed                     .500   .750" in ended.output
    assert f"wrote {pages.absolute() / NAME}" in ended.output
    assert "only the last layers were fitted" in ended.output
    assert ("spotlab[learn]" in ended.output) is not HAS_TORCH
    said = json.loads(found.read_text())
    assert (said["kept"], said["after"]["typed"]) == (True, 0.75)
    search = ["spot", "words", "--pages", str(pages), "--given-boxes", "--text", "the", *kept]
    search += ["--out", str(tmp_path / "lists.csv"), "--lists", "ws"]
    ended = CliRunner().invoke(_root(), search, catch_exceptions=False)
    assert "compared by strokes and learned (adapted on " in ended.output
    ended = CliRunner().invoke(_root(), [*search, "--not-adapted"], catch_exceptions=False)
    assert ended.output.strip().splitlines()[-2] == "compared by strokes and learned"
    undo = ["adapt", "words", str(pages), "--undo"]
    assert "removed" in CliRunner().invoke(_root(), undo).output
    assert not (pages / NAME).exists()
    assert "no network was adapted" in CliRunner().invoke(_root(), undo).output
