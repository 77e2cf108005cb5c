"""`spotlab train symbols`: symbols drawn by chance, and a network that tells them apart."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

from spotlab.cli.root import _root
from spotlab.errors import BadArgument, BadInput, Cancelled
from spotlab.lab.train.symbols.drawn_symbols import DrawnKind, Stroke, draw, new_kind, shaken
from spotlab.lab.train.symbols.shapes import ellipse, rectangle
from spotlab.lab.train.symbols.training import EACH, NO_SYMBOL, DrawnSymbols, train_symbols
from spotlab.learning.runs import TrainingSettings, state_file
from spotlab.spotting.symbols.embedding.network import cut_pictures, read_network, view_sides

needs_torch = pytest.mark.skipif(
    not (importlib.util.find_spec("torch") and importlib.util.find_spec("onnx")),
    reason="the extra spotlab[learn] is not installed",
)
SHORT = TrainingSettings(steps=3, batch=16)


def test_the_same_seed_draws_the_same_symbols_and_another_one_others() -> None:
    one, again, other = (DrawnSymbols(40, seed).next() for seed in (3, 3, 4))
    assert one.pictures.shape == (40, 48, 48)
    assert np.array_equal(one.pictures, again.pictures)
    assert not np.array_equal(one.pictures, other.pictures)
    kinds, counts = np.unique(one.kinds, return_counts=True)
    assert kinds.tolist() == [NO_SYMBOL, 0, 1, 2, 3, 4]
    assert counts.tolist() == [15, *[EACH] * 5]


def test_symbols_of_a_kind_share_more_ink_than_those_of_others() -> None:
    random = np.random.default_rng(0)
    ring = DrawnKind((Stroke(ellipse()),), has_outline=True)
    box = DrawnKind((Stroke(rectangle()), Stroke(rectangle() * 0.4)), has_outline=True)
    drawn = [
        np.mean([draw(kind, random) / 255.0 for _ in range(40)], axis=0) for kind in (ring, box)
    ]
    again = [
        np.mean([draw(kind, random) / 255.0 for _ in range(40)], axis=0) for kind in (ring, box)
    ]
    alike = [[np.corrcoef(a.ravel(), b.ravel())[0, 1] for b in again] for a in drawn]
    assert alike[0][0] > alike[0][1] and alike[1][1] > alike[1][0]


def test_a_kind_like_another_has_its_outline() -> None:
    random = np.random.default_rng(1)
    first = next(kind for kind in (new_kind(random) for _ in range(50)) if kind.has_outline)
    other = new_kind(random, first)
    assert other.strokes[0].path is first.strokes[0].path
    assert other.aspect == first.aspect


def test_a_steady_hand_follows_the_line() -> None:
    line = shaken(ellipse(), np.random.default_rng(2), 0.0)
    assert np.hypot(*line.T) == pytest.approx(np.ones(len(line)), abs=0.01)


def test_pictures_show_regions_with_what_is_around_them_and_paper_beyond_the_page() -> None:
    ink = np.zeros((400, 600), bool)
    ink[100:300, 100:500] = True
    inside, wide, beyond = cut_pictures(
        ink, [[200, 150, 300, 250], [100, 100, 500, 300], [580, 380, 640, 440]]
    )
    assert inside.min() == 255
    columns, rows = (wide[24] > 127).sum(), (wide[:, 24] > 127).sum()
    width, height = view_sides([[400, 200]])[0]
    assert (columns, rows) == (round(48 / 1.35 * 400 / width), round(48 / 1.35 * 200 / height))
    assert beyond.max() == 0
    assert cut_pictures(ink, np.zeros((0, 4))).shape == (0, 48, 48)


@needs_torch
def test_steps_make_the_same_network_again_and_go_on_after_an_interruption(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.onnx" for name in "ab"]
    for file in files:
        assert train_symbols(file, SHORT).ended
    picture = DrawnSymbols(16, 1).next().pictures
    one, two = (read_network(file).describe_pictures(picture) for file in files)
    assert np.array_equal(one.embedding, two.embedding)
    assert np.linalg.norm(one.embedding, axis=1) == pytest.approx(np.ones(16), abs=1e-4)

    def stop(done: int, _total: int | None, _doing: str) -> None:
        if done > 500:
            raise Cancelled

    cut = train_symbols(files[0], SHORT, stop)
    assert (cut.steps, cut.ended, cut.resumed) == (2, False, False)
    rest = train_symbols(files[0], SHORT)
    assert (rest.steps, rest.ended, rest.resumed, rest.pictures) == (3, True, True, 48)
    assert not state_file(files[0]).exists()


@needs_torch
def test_the_command_says_what_it_did(tmp_path: Path) -> None:
    out = tmp_path / "own" / "symbols.onnx"
    arguments = ["train", "symbols", "--steps", "2", "--batch", "16", "--jobs", "1"]
    ended = CliRunner().invoke(_root(), [*arguments, "--out", str(out)])
    assert ended.exit_code == 0, ended.output
    assert "symbols.onnx: 2 steps, 32 pictures" in ended.output
    assert len(read_network(out).describe_pictures(np.zeros((2, 48, 48), np.uint8))) == 2


@needs_torch
def test_a_batch_has_room_for_two_kinds(tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match="16 or greater"):
        train_symbols(tmp_path / "a.onnx", TrainingSettings(steps=1, batch=8))


@pytest.mark.parametrize("content", [b"", b"no network", bytes(300)])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other.onnx"
    file.write_bytes(content)
    with pytest.raises(BadInput, match="no network for symbols"):
        read_network(file)
    with pytest.raises(BadInput, match="cannot be read"):
        read_network(tmp_path / "missing.onnx")


def test_the_network_for_words_is_none_for_symbols() -> None:
    words = Path(__file__).parents[3] / "resources" / "models" / "words.onnx"
    with pytest.raises(BadInput, match="no network for symbols"):
        read_network(words)


@needs_torch
@pytest.mark.slow
def test_a_minute_of_training_is_far_better_than_chance(tmp_path: Path) -> None:
    file = tmp_path / "symbols.onnx"
    train_symbols(file, TrainingSettings(steps=120, batch=96, seed=1))
    drawn = DrawnSymbols(160, 99).next()
    found = read_network(file).describe_pictures(drawn.pictures)
    is_symbol = drawn.kinds != NO_SYMBOL
    unit, kinds = found.embedding[is_symbol], drawn.kinds[is_symbol]
    alike = unit @ unit.T - 2 * np.eye(len(unit))
    assert (kinds[alike.argmax(axis=1)] == kinds).mean() > 0.3  # by chance .04
    assert found.symbol[is_symbol].mean() > found.symbol[~is_symbol].mean() + 1


def test_no_steps_means_that_the_minutes_count(tmp_path: Path) -> None:
    arguments = ["symbols", "--out", str(tmp_path / "a.onnx"), "--steps", "0", "--minutes", "0"]
    with pytest.raises(click.BadParameter, match=r"0.0 is not in the range x>0"):
        _root().main(["train", *arguments], standalone_mode=False)
