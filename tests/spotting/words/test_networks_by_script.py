"""A network is found by the letters of what is typed; without one the word is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from spotlab.api.spot_words import spot_words
from spotlab.errors import BadArgument, SpotlabError
from spotlab.resources import MODELS, own_models
from spotlab.spotting.words.embedding.network import SHIPPED
from tests.spotting.words.embedding.small_network import write_network
from tests.spotting.words.word_pages import write_pages

GREEK = "αβγδεζηθικλμνξοπρστυφχψω"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scripts") / "pages"
    write_pages(folder)
    return next(folder.glob("*.png"))


@pytest.fixture(autouse=True)
def latin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that comes with spotlab."""
    monkeypatch.setenv(MODELS, str(tmp_path))
    write_network(tmp_path / SHIPPED)


@pytest.fixture
def greek() -> Path:
    """A network that somebody has trained, in the folder for such ones."""
    own_models().mkdir(parents=True)
    (own_models() / "notes.onnx").write_bytes(b"no network")
    return write_network(own_models() / "greek.onnx", 1, GREEK)


def search(pages: Path, *texts: str, **settings: object) -> str:
    """The digest of the network that has read the pages."""
    cache = pages.parent.parent / "cache"
    found = spot_words(pages, texts=texts, lists="ws", cache=cache, jobs=1, **settings)
    assert len(found.words) == len(texts)
    digest: str = found.as_dict()["network"]
    return digest


def test_letters_that_no_network_reads_are_named_with_what_can_be_done(pages: Path) -> None:
    with pytest.raises(SpotlabError) as error:
        search(pages, "λόγος")
    said = str(error.value)
    assert "Greek" in said and "box" in said and str(own_models()) in said
    assert all(letter in said for letter in "λογσ")


def test_a_refused_word_does_not_turn_the_order_of_the_line(pages: Path) -> None:
    with pytest.raises(SpotlabError) as error:
        search(pages, "مرحبا")
    assert str(error.value).startswith("“\u200e\u2068مرحبا\u2069” has letters")


def test_a_network_that_was_added_is_found_by_the_script(pages: Path, greek: Path) -> None:
    latin = search(pages, "orders")
    assert search(pages, "Λόγος") == search(pages, "λόγος OR λόγ*") != latin


def test_two_scripts_are_searched_one_after_the_other(pages: Path, greek: Path) -> None:
    with pytest.raises(BadArgument, match="one after the other"):
        search(pages, "orders", "λόγος")


def test_a_network_that_is_named_is_not_replaced(pages: Path, greek: Path, tmp_path: Path) -> None:
    own = write_network(tmp_path / "own.onnx")
    with pytest.raises(SpotlabError, match="letters that no network"):
        search(pages, "λόγος", network=own)
    assert search(pages, "λόγος", network=greek)


def test_a_sign_of_abbreviation_that_is_read_as_a_letter_is_named(pages: Path) -> None:
    said = [
        str(
            spot_words(pages, texts=[text], lists="ws", cache=pages.parent.parent / "cache", jobs=1)
        )
        for text in ("ꝑsons", "persons")
    ]
    assert ["searched “ꝑ” as “p”" in each for each in said] == [True, False]
