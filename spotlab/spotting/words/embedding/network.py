"""The network that describes pictures of words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Boxes, Ints
from spotlab.errors import BadInput, SpotlabError, isolated
from spotlab.extras import cv2
from spotlab.formats.rows.json_values import parse_json
from spotlab.formats.store import code_digest, key_of, read_arrays, write_arrays
from spotlab.geometry.polygon import has_form, share_boxes
from spotlab.model.spelling import script_of
from spotlab.representation import short_repr
from spotlab.resources import MODELS, model_file, models_ending, own_models
from spotlab.spotting.networks import (
    Network,
    in_batches,
    metadata_of,
    no_network,
    open_network,
)
from spotlab.spotting.words.embedding.characters import (
    Alphabet,
    characters_read,
    stored_attributes,
    stored_characters,
)

Pictures = NDArray[np.float32]
Grey = NDArray[np.uint8]

HEIGHT, WIDTH = 48, 160  # px
_NARROW = 2.4  # heights: a narrower word gets paper on both sides instead of being stretched
_LEAST = 0.35  # of the width, for the narrowest word
_LONG = 0.9  # of a picture's width, for a long word: there is paper on both sides
_TALL = 1.1  # picture's heights of a box: its upper and lower edge are left out
_DARKEST, _LIGHTEST = 1.2, -0.3  # bounds of what is kept, where 1 is ink and 0 is paper
_CONTRAST = 20.0  # grey levels between paper and ink, at least
_INKED = 0.35  # share of the contrast from which a pixel is ink
_ENOUGH = 200  # px of a word's width in which its ends are found
_EVERY = 7  # pixel by which paper and ink are estimated


def cut_pictures(grey: Grey, boxes: ArrayLike, turns: ArrayLike = 0) -> Grey:
    """Cut words out of a page and bring them to the network's size.

    Parameters
    ----------
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px; what is beyond the page is left out.
    turns : int or (N,) int
        Quarter turns clockwise that make each word run from left to right.

    Returns
    -------
    (N, 48, 160) uint8
        From a word's first ink to its last, with paper on both sides; narrow words have more of it.
        The edges of a box above and below, 4 % of its height each, are left out: boxes are taller
        than letters.

    Examples
    --------
    >>> page = np.full((60, 300), 200, np.uint8)
    >>> page[20:40, 20:220:4] = 50
    >>> cut_pictures(page, [[10, 10, 230, 50], [10, 10, 40, 50]]).shape
    (2, 48, 160)
    """
    corners = np.asarray(boxes, np.float64).reshape(-1, 4)
    quarters = np.broadcast_to(np.asarray(turns), len(corners)).tolist()
    pictures = np.empty((len(corners), HEIGHT, WIDTH), np.uint8)
    for place, (corner, quarter) in enumerate(zip(corners, quarters, strict=True)):
        pictures[place] = _fitted(np.ascontiguousarray(np.rot90(_cut(grey, corner), -quarter)))
    return pictures


def move_pictures(pictures: Pictures, rows: int) -> Pictures:
    """Move words up or down in their pictures; the last row of paper is repeated.

    Parameters
    ----------
    pictures : (N, 1, 48, 160) float32
    rows : int
        px downwards.

    Examples
    --------
    >>> picture = np.arange(48, dtype=np.float32).reshape(1, 1, 48, 1).repeat(160, axis=3)
    >>> move_pictures(picture, 2)[0, 0, :4, 0].tolist()
    [0.0, 0.0, 0.0, 1.0]
    >>> move_pictures(picture, -2)[0, 0, -4:, 0].tolist()
    [46.0, 47.0, 47.0, 47.0]
    """
    seen = np.clip(np.arange(HEIGHT) - rows, 0, HEIGHT - 1)
    return np.asarray(pictures[:, :, seen])


def normalise_pictures(pictures: Grey) -> Pictures:
    """Turn greys into ink, whatever the paper and the contrast.

    Parameters
    ----------
    pictures : (N, 48, 160) uint8

    Returns
    -------
    (N, 1, 48, 160) float32
        0 for paper and 1 for ink, at most a little below and above.

    Examples
    --------
    >>> blank = np.full((1, 48, 160), 200, np.uint8)
    >>> normalise_pictures(blank).max()
    np.float32(0.0)
    """
    flat = pictures.reshape(len(pictures), -1)
    order = _sorted(flat[:, ::_EVERY]).astype(np.float32)
    paper = order[:, int(order.shape[1] * 0.75), None]
    ink = order[:, int(order.shape[1] * 0.01), None]
    scaled = (paper - flat) / np.maximum(paper - ink, np.float32(_CONTRAST))
    ink_map: Pictures = np.clip(scaled, _LIGHTEST, _DARKEST).reshape(-1, 1, HEIGHT, WIDTH)
    return ink_map


def _cut(grey: Grey, corner: NDArray[np.float64]) -> Grey:
    """Return what is in a box, 1 px at least."""
    height, width = grey.shape
    left, top = (
        min(int(max(edge, 0)), side - 1)
        for edge, side in zip(corner[:2], (width, height), strict=True)
    )
    part: Grey = grey[top : max(int(corner[3]), top + 2), left : max(int(corner[2]), left + 2)]
    return part


def _fitted(cut: Grey) -> Grey:
    return _placed(_without_sides(cut))[0]


def _placed(cut: Grey) -> tuple[Grey, int]:
    """A cut in the middle of a picture, and how wide it is there."""
    high, wide = cut.shape
    width = int(WIDTH * _LONG * np.clip(wide / max(high, 1) / _NARROW, _LEAST, 1))
    height = int(HEIGHT * _TALL)
    shrinks = high > height or wide > width
    method = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    image = np.asarray(cv2.resize(cut, (width, height), interpolation=method), np.uint8)
    beyond = (height - HEIGHT) // 2
    seen = image[beyond : beyond + HEIGHT]
    paper = _percentile(_sorted(seen[:, ::3].ravel()), 75)
    whole = np.full((HEIGHT, WIDTH), paper, np.uint8)
    start = (WIDTH - width) // 2
    whole[:, start : start + width] = seen
    return whole, width


def fit_window(
    grey: Grey, box: tuple[float, float, float, float], places: int
) -> tuple[Grey, NDArray[np.float64]]:
    """Cut a part of a line out of a page as it is, from edge to edge.

    Parameters
    ----------
    grey : (H, W) uint8
        The page.
    box : (float, float, float, float)
        left, top, right, bottom in px; what is beyond the page is left out.
    places : int
        At which there are characters along the picture.

    Returns
    -------
    picture : (48, 160) uint8
    x : (places,) float
        Columns of these places on the page, in px.

    Examples
    --------
    >>> picture, x = fit_window(np.full((60, 300), 200, np.uint8), (0, 0, 144, 48), 40)
    >>> picture.shape, float(x[0]), float(x[-1])
    ((48, 160), -6.0, 150.0)
    """
    cut = _cut(grey, np.asarray(box, np.float64))
    picture, width = _placed(cut)
    left = max(min(int(max(box[0], 0)), grey.shape[1] - 1), 0)
    along = (np.arange(places) + 0.5) * (WIDTH / places) - (WIDTH - width) // 2
    return picture, left + along * (cut.shape[1] / width)


def _without_sides(cut: Grey) -> Grey:
    """The cut from its first ink to its last: boxes are drawn more or less tightly."""
    high, wide = cut.shape
    size = min(wide, _ENOUGH), min(high, HEIGHT)
    small = cv2.resize(cut, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    order = np.sort(small, axis=None)
    ink, paper = (_percentile(order, percent) for percent in (1, 75))
    dark = paper - small > _INKED * max(paper - ink, _CONTRAST)
    columns = np.flatnonzero(dark.any(axis=0)) * (wide / size[0])
    if not len(columns):
        return cut
    return cut[:, int(columns[0]) : math.ceil(columns[-1] + wide / size[0])]


def _sorted(greys: Grey) -> Grey:
    """Each row in order; numpy counts bytes where it has to keep their order, 20 times as fast."""
    return np.sort(greys, axis=-1, kind="stable")


def _percentile(order: NDArray[Any], percent: int) -> float:
    """Of sorted values; `numpy.percentile` takes ten times as long for so few."""
    place, beyond = divmod((order.size - 1) * percent, 100)
    below, above = float(order[place]), float(order[min(place + 1, order.size - 1)])
    return below + (above - below) * beyond / 100


SHIPPED = "words.onnx"
OUTPUTS = ("embedding", "attributes", "characters")
_BATCH = 4  # pictures; more take more memory, and hardly less time


@dataclass(frozen=True, eq=False)
class Described:
    """Descriptions of words computed by a network.

    Attributes
    ----------
    embedding : (N, E) float16
        Alike for the same word, whoever has written it.
    attributes : (N, A) int8
        Which characters are where; see `spotlab.spotting.words.embedding.characters`.
    characters : (N, T, 1 + C) uint8
        The characters along the word; see `spotlab.spotting.words.embedding.characters`.
    """

    embedding: NDArray[np.float16]
    attributes: NDArray[np.int8]
    characters: NDArray[np.uint8]

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.embedding)

    def take(self, rows: NDArray[np.int64]) -> Described:
        """Choose some of the words.

        Parameters
        ----------
        rows : (K,) int

        Examples
        --------
        >>> said = Described(np.zeros((3, 4)), np.zeros((3, 5)), np.zeros((3, 6, 7)))
        >>> len(said.take(np.array([0, 2])))
        2
        """
        return Described(self.embedding[rows], self.attributes[rows], self.characters[rows])


@dataclass(frozen=True, eq=False)
class WordNetwork:
    """A network that was trained on pictures of words.

    Attributes
    ----------
    alphabet : Alphabet
    levels : tuple of int
        Of its attributes.
    sizes : (int, int)
        Numbers of an embedding, and places along a word at which there are characters.
    """

    alphabet: Alphabet
    levels: tuple[int, ...]
    sizes: tuple[int, int]
    _network: Network

    __repr__ = short_repr

    @property
    def file(self) -> Path:
        """An ONNX file; its metadata say what its outputs mean."""
        return self._network.file

    @property
    def digest(self) -> str:
        """Of its content."""
        return self._network.digest

    @property
    def metadata(self) -> Mapping[str, str]:
        """Return what the file says of itself."""
        return self._network.metadata

    def describe(
        self, grey: Grey, boxes: ArrayLike, turns: ArrayLike = 0, moves: Sequence[int] = (0,)
    ) -> Described:
        """Describe the words in boxes on a page.

        Parameters
        ----------
        grey : (H, W) uint8
            The page.
        boxes : (N, 4) float
            left, top, right, bottom in px.
        turns : int or (N,) int
            Quarter turns clockwise that make each word run from left to right.
        moves : sequence of int
            As of `describe_pictures`.
        """
        return self.describe_pictures(cut_pictures(grey, boxes, turns), moves)

    def describe_pictures(self, pictures: Grey, moves: Sequence[int] = (0,)) -> Described:
        """Describe pictures of words.

        Parameters
        ----------
        pictures : (N, 48, 160) uint8
            As `cut_pictures` makes them.
        moves : sequence of int
            How many px lower each word is shown to the network, once for each: where its rows lie
            on a word is chance, and the mean of what it says errs less.

        Examples
        --------
        >>> from spotlab.resources import needed_model
        >>> network = read_network(needed_model(SHIPPED))
        >>> said = network.describe_pictures(np.full((2, 48, 160), 255, np.uint8), (2, -2))
        >>> said.characters.shape
        (2, 40, 37)
        """
        parts = [self._empty(), *in_batches(partial(self._run, moves=moves), pictures, _BATCH)]
        return Described(
            np.concatenate([part.embedding for part in parts]),
            np.concatenate([part.attributes for part in parts]),
            np.concatenate([part.characters for part in parts]),
        )

    def _run(self, pictures: Grey, moves: Sequence[int]) -> Described:
        # always as many pictures: engines prepare themselves anew for each other number
        whole = np.zeros((_BATCH, HEIGHT, WIDTH), np.uint8)
        whole[: len(pictures)] = pictures
        seen = normalise_pictures(whole)
        said = [self._network.run(move_pictures(seen, rows), "images", OUTPUTS) for rows in moves]
        embedding, attributes, characters = (
            np.stack(views)[:, : len(pictures)] for views in zip(*said, strict=True)
        )
        return Described(
            embedding.mean(axis=0).astype(np.float16),
            stored_attributes(attributes.mean(axis=0)),
            stored_characters(np.logaddexp.reduce(characters, axis=0) - math.log(len(moves))),
        )

    def _empty(self) -> Described:
        size, places = self.sizes
        letters = len(self.alphabet)
        return Described(
            np.empty((0, size), np.float16),
            np.empty((0, sum(self.levels) * letters), np.int8),
            np.empty((0, places, 1 + letters), np.uint8),
        )


def shipped_network() -> WordNetwork | None:
    """The network that comes with spotlab; None where ``SPOTLAB_MODELS`` names a folder without.

    Raises
    ------
    SpotlabError
        It is not installed, or cannot be read.
    """
    file = model_file(SHIPPED)
    return None if file is None else read_network(file)


def network_problem() -> str:
    """Say why there is no network for words; "" where there is one."""
    try:
        missing = model_file(SHIPPED) is None
    except SpotlabError as error:
        return str(error)
    return f"the folder that {MODELS} names has no {SHIPPED}" if missing else ""


def network_reading(text: str, beside: Alphabet) -> Path:
    """Find the network that reads the letters of a text.

    Parameters
    ----------
    text : str
    beside : Alphabet
        Of the usual network, which does not read it.

    Returns
    -------
    Path
        The first file of `spotlab.resources.models_ending` whose alphabet has them all.

    Raises
    ------
    SpotlabError
        There is none.

    Examples
    --------
    >>> network_reading("ᚠᚢᚦ", Alphabet("abc"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    spotlab.errors.SpotlabError: ... has letters that no network for words reads: ...
    """
    for file in models_ending(".onnx"):
        alphabet = _alphabet_of(file, file.stat().st_mtime_ns)
        if alphabet is not None and not alphabet.unknown(text):
            return file
    raise no_letters(text, beside)


@lru_cache(maxsize=64)
def _alphabet_of(file: Path, _changed: int) -> Alphabet | None:
    """The alphabet of a network for words; None of any other file."""
    try:
        return Alphabet(metadata_of(file.read_bytes())["alphabet"])
    except (OSError, ValueError, IndexError, KeyError):
        return None


def no_letters(text: str, alphabet: Alphabet) -> SpotlabError:
    """The error that a text has letters that a network does not read.

    Parameters
    ----------
    text : str
    alphabet : Alphabet
        Of the network.
    """
    unknown = alphabet.unknown(text)
    if not unknown:
        return SpotlabError(f"“{isolated(text)}” has no letter: draw a box around one such word")
    scripts = " and ".join(dict.fromkeys(filter(None, map(script_of, unknown)))) or "them"
    return SpotlabError(
        f"“{isolated(text)}” has letters that no network for words reads: {isolated(unknown)}. "
        f"Draw a box around one such word, or put a network that reads {scripts} into "
        f"{own_models()}"
    )


def read_network(file: Path) -> WordNetwork:
    """Read a network.

    Parameters
    ----------
    file : Path
        ONNX, with the outputs embedding, attributes and characters, and with the metadata alphabet
        and levels.

    Raises
    ------
    BadInput
        It cannot be read, or is another network.
    """
    return _for_words(open_network(file, "words"))


@lru_cache(maxsize=4)
def _for_words(network: Network) -> WordNetwork:
    try:
        alphabet = Alphabet(network.metadata["alphabet"])
        levels = tuple(int(level) for level in parse_json(network.metadata["levels"]))
        blank = np.zeros((_BATCH, 1, HEIGHT, WIDTH), np.float32)
        embedding, attributes, characters = network.run(blank, "images", OUTPUTS)
        letters, sizes = len(alphabet), (embedding.shape[1], characters.shape[1])
        fits = attributes.shape[1:] == (sum(levels) * letters,)
        fits = fits and (embedding.ndim, characters.shape[2:]) == (2, (1 + letters,))
    except (KeyError, ValueError, TypeError, IndexError, OverflowError, RecursionError) as error:
        raise no_network(network.file, "words") from error
    if not fits:
        raise BadInput(network.file, "its outputs do not fit its alphabet and levels")
    return WordNetwork(alphabet, levels, sizes, network)


_GIVEN_MOVES = (0, 3, -3)  # px downwards in the pictures of a word; chosen on five pages of letters
_TALL_WORD = 1.5  # widths in a box's height from which its word may run up or down the page
_MORE = 2  # characters that are read in it, at least, when it is turned
_UPWARDS, _DOWNWARDS = 1, -1  # quarter turns clockwise that make a word run from left to right


def describe_given(
    network: WordNetwork, grey: Grey, boxes: ArrayLike, turns: ArrayLike = 0
) -> Described:
    """Describe words whose boxes are given.

    People draw boxes more or less tightly above and below, so each word is shown to the network
    three times: as it is, a bit lower and a bit higher. What it says is the mean.

    Parameters
    ----------
    network : WordNetwork
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    turns : int or (N,) int
        Quarter turns clockwise that make each word run from left to right, as of `writing_turns`.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> sizes = ((2,), (3,), (4, 5))
    >>> network = SimpleNamespace(
    ...     describe=lambda grey, boxes, turns, moves: Described(
    ...         *(np.zeros((len(boxes), *size), np.uint8) for size in sizes)
    ...     )
    ... )
    >>> page = np.full((90, 90), 255, np.uint8)
    >>> len(describe_given(network, page, [[5, 5, 65, 30], [70, 5, 90, 55]]))
    2
    """
    return network.describe(grey, boxes, turns, _GIVEN_MOVES)


def writing_turns(network: WordNetwork, grey: Grey, boxes: ArrayLike) -> Ints:
    """Find the words of a page that are written up or down it.

    A word is, if its box is tall and more is read in it when it is turned. All of them run the same
    way: the one in which more is read.

    Parameters
    ----------
    network : WordNetwork
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    (N,) int
        Quarter turns clockwise that make each word run from left to right: 1 for a word that is
        written upwards, -1 for one that is written downwards, 0 for the others.

    Examples
    --------
    A box that is wider than tall is never turned:

    >>> writing_turns(None, np.full((90, 90), 255, np.uint8), [[5, 5, 65, 30]]).tolist()
    [0]
    """
    corners = np.asarray(boxes, np.float64).reshape(-1, 4)
    turns = np.zeros(len(corners), np.int64)
    width, height = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    tall = np.flatnonzero(height > _TALL_WORD * width)
    if not len(tall):
        return turns
    level, upwards, downwards = (
        characters_read(
            network.describe_pictures(cut_pictures(grey, corners[tall], turn)).characters
        )
        for turn in (0, _UPWARDS, _DOWNWARDS)
    )
    are_turned = np.maximum(upwards, downwards) >= level + _MORE
    runs_up = upwards[are_turned].sum() >= downwards[are_turned].sum()
    turns[tall[are_turned]] = _UPWARDS if runs_up else _DOWNWARDS
    return turns


Turns = NDArray[np.int8] | Ints

# Intersection over union from which candidates share one description; chosen on five pages of
# letters
SAME = 0.92
# px downwards in the pictures of a candidate; chosen there, on three photographs, and so that two
# pages of print are not found less well: 2 up and 2 down found letters better, and print worse
_MOVES = (0, 2)


@dataclass(frozen=True, eq=False)
class PageDescription:
    """Descriptions of the words of a page computed by a network.

    Attributes
    ----------
    described : Described
        Of M different words.
    row : (N,) int
        Which of them describes each word.
    line : (P, 1 + C) uint8
        The characters along the lines of the page; none where words were given.
    span : (N, 2) int
        The part of them where each word is, see
        `spotlab.spotting.words.embedding.line_characters`.
    points : (P, 4) float32
        Where each of them is, see the same.
    """

    described: Described
    row: Ints
    line: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    span: Ints = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    points: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 4), np.float32))

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.row)


def describe_page(
    network: WordNetwork, grey: Grey, boxes: Boxes, turns: Turns, *, given: bool = False
) -> PageDescription:
    """Describe the words of a page.

    Parameters
    ----------
    network : WordNetwork
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    turns : (N,) int
        Quarter turns clockwise that make each word run from left to right.
    given : bool
        Boxes that somebody has drawn are described one by one. Candidates overlap: those that are
        nearly the same share a description.
    """
    if given:
        return PageDescription(describe_given(network, grey, boxes, turns), np.arange(len(boxes)))
    chosen, row = _shared(boxes, turns)
    return PageDescription(network.describe(grey, boxes[chosen], turns[chosen], _MOVES), row)


def _shared(boxes: Boxes, turns: Turns) -> tuple[Ints, Ints]:
    """Boxes that are described, and which of them stands for each; words run alike in both."""
    chosen, row, count = [], np.zeros(len(boxes), np.int64), 0
    for turn in np.unique(turns):
        alike = np.flatnonzero(turns == turn)
        own, place = share_boxes(boxes[alike], SAME)
        row[alike] = count + place
        chosen.append(alike[own])
        count += len(own)
    return np.concatenate([np.zeros(0, np.int64), *chosen]), row


_MAGIC = b"spotlab word descriptions 3\n"
_NAMES = {"embedding", "attributes", "characters", "row", "line", "span", "points"}


@cache
def description_version() -> str:
    """Digest that changes with everything that decides what a network is shown."""
    room = Path(__file__).parent
    names = "characters", "network", "line_characters"
    return code_digest(room / f"{name}.py" for name in names)


def description_key(page_key: str, network: WordNetwork) -> str:
    """Name of the file of a page.

    Parameters
    ----------
    page_key : str
        Name of the file of the page's words.
    network : WordNetwork

    Examples
    --------
    Another network has another file:

    >>> from types import SimpleNamespace
    >>> networks = SimpleNamespace(digest="one"), SimpleNamespace(digest="two")
    >>> keys = [description_key("page", network) for network in networks]
    >>> len(keys[0]), keys[0] == keys[1]
    (40, False)
    """
    return key_of(page_key, network.digest, description_version())


def write_description(description: PageDescription, path: Path) -> None:
    """Write the file; where that fails, leave what was there.

    Parameters
    ----------
    description : PageDescription
    path : Path

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> nothing = Described(np.empty((0, 4)), np.empty((0, 4)), np.empty((0, 4)))
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.described")
    ...     write_description(PageDescription(nothing, np.empty(0, np.int64)), path)
    ...     print(path.exists())
    True
    """
    said = description.described
    arrays: dict[str, NDArray[Any]] = {
        "embedding": said.embedding,
        "attributes": said.attributes,
        "characters": said.characters,
        "row": description.row,
        "line": description.line,
        "span": description.span,
        "points": description.points,
    }
    write_arrays(arrays, path, _MAGIC)


def read_description(path: Path, network: WordNetwork, words: int) -> PageDescription | None:
    """Read the description of a page's words.

    Parameters
    ----------
    path : Path
    network : WordNetwork
        Whose description it has to be.
    words : int
        How many words the page has.

    Returns
    -------
    PageDescription or None
        None where there is no file, or it is damaged in any way.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from types import SimpleNamespace
    >>> network = SimpleNamespace(alphabet="ab", levels=(1, 2), sizes=(4, 5))
    >>> said = Described(
    ...     np.zeros((1, 4), np.float16), np.zeros((1, 6), np.int8), np.zeros((1, 5, 3), np.uint8))
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.described")
    ...     write_description(PageDescription(said, np.zeros(2, np.int64)), path)
    ...     print(len(read_description(path, network, 2)), read_description(path, network, 3))
    2 None
    """
    arrays = read_arrays(path, _MAGIC)
    if arrays is None or arrays.keys() != _NAMES:
        return None
    count, letters = len(arrays["embedding"]), len(network.alphabet)
    size, places = network.sizes
    row, line, span, points = (arrays[name] for name in ("row", "line", "span", "points"))
    fits = (
        has_form(arrays["embedding"], np.float16, None, size)
        and has_form(arrays["attributes"], np.int8, count, sum(network.levels) * letters)
        and has_form(arrays["characters"], np.uint8, count, places, 1 + letters)
        and has_form(row, np.int64, words)
        and bool(((row >= 0) & (row < count)).all())
        and has_form(line, np.uint8, None, None)
        and line.shape[1:] == (1 + letters if len(line) else line.shape[1],)
        and has_form(span, np.int64, len(span), 2)
        and len(span) in (0, words)
        and bool(((span >= 0) & (span <= len(line))).all())
        and has_form(points, np.float32, len(line), 4)
        and bool(np.isfinite(points).all())
        and bool(np.isfinite(arrays["embedding"]).all())
    )
    if not fits:
        return None
    said = Described(arrays["embedding"], arrays["attributes"], arrays["characters"])
    return PageDescription(said, row, line, span, points)
