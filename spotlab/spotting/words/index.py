"""Builds the index of a collection's words, page by page, so that it goes on where it was ended."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import chain
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Boxes, Ints
from spotlab.compute import each_done
from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.store import (
    cache_folder,
    code_digest,
    key_of,
    keyed_file,
    read_arrays,
    write_arrays,
)
from spotlab.geometry.polygon import has_form
from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.reading.pyramid import Pixels, darkness
from spotlab.model.ranked_list import Items
from spotlab.model.spelling import alternatives_of
from spotlab.progress import Progress, silent, track
from spotlab.spotting.page_entries import (
    UnreadablePage,
    image_digests,
    page_entries,
    readable_pages,
    with_absolute_path,
)
from spotlab.spotting.words.embedding.line_characters import describe_lines
from spotlab.spotting.words.embedding.network import (
    PageDescription,
    WordNetwork,
    describe_page,
    description_key,
    description_version,
    network_problem,
    network_reading,
    no_letters,
    read_description,
    read_network,
    shipped_network,
    write_description,
    writing_turns,
)
from spotlab.spotting.words.extraction.descriptor import LENGTH, WIDTH, WordDescriptor
from spotlab.spotting.words.extraction.page_words import PageWords, WordSettings, extract_words
from spotlab.spotting.words.feature_space import (
    FeatureSpace,
    Projection,
    learned_projection,
    learned_share,
    likely_pairs,
    with_adapted,
)
from spotlab.spotting.words.word_index import (
    ItemOverlaps,
    LearnedWords,
    WordIndex,
    fit_scale,
)

_MAGIC = b"spotlab words 5\n"
_NAMES = {field.name for field in fields(PageWords)}


@cache
def extraction_version() -> str:
    """Digest that changes with everything that decides which words are extracted."""
    words = Path(__file__).parent
    rooms = (words / "extraction", words.parents[1] / "imaging")
    return code_digest(file for room in rooms for file in sorted(room.rglob("*.py")))


def page_key(
    image_digest: str, frame: int, settings: str, boxes: NDArray[np.float64] | None
) -> str:
    """Name of a page's file, which depends on everything that its content depends on.

    Parameters
    ----------
    image_digest : str
        Digest of the image file.
    frame : int
        Number of the page in that file.
    settings : str
    boxes : (N, 4) float, optional
        left, top, right, bottom in px of given words.

    Examples
    --------
    >>> page_key("0a", 0, "plain", None) == page_key("0a", 0, "plain", np.zeros((0, 4)))
    False
    """
    given = "" if boxes is None else hashlib.sha256(boxes.tobytes()).hexdigest()
    return key_of(image_digest, str(frame), settings, extraction_version(), given)


def write_words(words: PageWords, path: Path) -> None:
    """Write the file; where that fails, leave what was there.

    Parameters
    ----------
    words : PageWords
    path : Path

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> none = np.zeros((0, LENGTH), np.float16)
    >>> with TemporaryDirectory() as folder:
    ...     words = PageWords(
    ...         *np.zeros((2, 0, 4)), none, none, np.zeros(0, np.float32), np.zeros(0, np.int8)
    ...     )
    ...     write_words(words, Path(folder, "page.words"))
    ...     print(len(read_words(Path(folder, "page.words"))))
    0
    """
    arrays = {name: getattr(words, name) for name in _NAMES}
    write_arrays(arrays, path, _MAGIC)


def read_words(path: Path) -> PageWords | None:
    """Read the words of a page.

    Parameters
    ----------
    path : Path

    Returns
    -------
    PageWords or None
        None where there is no file, or it is damaged in any way.
    """
    arrays = read_arrays(path, _MAGIC)
    if arrays is None or arrays.keys() != _NAMES:
        return None
    words = PageWords(**arrays)
    fits = (
        has_form(words.raw, np.float16, None, LENGTH)
        and has_form(words.changes, np.float16, None, LENGTH)
        and has_form(words.boxes, np.float64, len(words.raw), 4)
        and has_form(words.seen, np.float64, len(words.raw), 4)
        and has_form(words.apart, np.float32, len(words.raw))
        and has_form(words.turns, np.int8, len(words.raw))
        and has_form(words.lines, np.float32, None, 4)
        and bool(np.isfinite(words.lines).all())
        and bool(np.isfinite(words.boxes).all() and np.isfinite(words.seen).all())
        and bool(np.isfinite(words.apart).all())
    )
    return words if fits else None


@dataclass(frozen=True, eq=False)
class IndexPage:
    """A page, and the files that keep its words and what a network says of them.

    Attributes
    ----------
    entry : PageEntry
    settings : WordSettings
    boxes : (N, 4) float or None
        left, top, right, bottom in px of given words; None where words are to be found.
    file : Path
        Keeps the words.
    described : Path or None
        Keeps what a network says; None without a network.
    problem : str
        Why the page cannot be read; empty where it can.
    """

    entry: PageEntry
    settings: WordSettings
    boxes: Boxes | None
    file: Path
    described: Path | None = None
    problem: str = ""

    def make(self) -> tuple[str, bool]:
        """Make the files; returns what is wrong with the page, and whether they were there."""
        if self.problem:
            return self.problem, False
        if self._is_done():
            return "", True
        read = cache(self._pixels)
        try:
            self.description(self.words(read), read)
        except BadInput as error:
            return error.problem, False
        return "", False

    def words(self, read: Callable[[], Pixels] | None = None) -> PageWords:
        """The page's words, from the file if that is whole.

        Parameters
        ----------
        read : callable, optional
            Gives the page's pixels, (H, W) or (H, W, 3) uint8, where these are needed.
        """
        words = read_words(self.file)
        if words is None:
            pixels = (read or self._pixels)()
            words = extract_words(pixels, self.settings, self.boxes, self._turns(pixels))
            write_words(words, self.file)
        return words

    def _turns(self, pixels: Pixels) -> Ints | int:
        """Tell how the given words run, as far as a network can say."""
        network = network_of(self.settings)
        if self.boxes is None or network is None:
            return 0
        return writing_turns(network, darkness(pixels), self.boxes)

    def description(
        self, words: PageWords, read: Callable[[], Pixels] | None = None
    ) -> PageDescription | None:
        """Return what a network says of them, from the file if that is whole.

        None without a network.

        Parameters
        ----------
        words : PageWords
        read : callable, optional
            Gives the page's pixels, (H, W) or (H, W, 3) uint8, where these are needed.
        """
        if self.described is None:
            return None
        network = network_of(self.settings)
        assert network is not None
        said = read_description(self.described, network, len(words))
        if said is None:
            grey = darkness((read or self._pixels)())
            given = self.boxes is not None
            said = describe_page(network, grey, words.seen, words.turns, given=given)
            if len(words.lines):
                along = describe_lines(network, grey, words.lines.astype(np.float64), words.seen)
                level = (words.turns == 0)[:, None]
                span = np.where(level, along.span, 0)
                said = replace(said, line=along.characters, span=span, points=along.points)
            write_description(said, self.described)
        return said

    def _pixels(self) -> Pixels:
        return read_page(self.entry.image, self.entry.frame)

    def _is_done(self) -> bool:
        words = read_words(self.file)
        if words is None or self.described is None:
            return words is not None
        network = network_of(self.settings)
        assert network is not None
        return read_description(self.described, network, len(words)) is not None


def network_of(settings: WordSettings) -> WordNetwork | None:
    """The network that words are described by; None where only strokes are compared.

    Parameters
    ----------
    settings : WordSettings

    Raises
    ------
    SpotlabError
        Only what was learned is to be compared, and no network is installed.
    BadInput
        The network's file cannot be read.

    Examples
    --------
    >>> network_of(WordSettings(descriptor=WordDescriptor.STROKES)) is None
    True
    """
    if settings.descriptor is WordDescriptor.STROKES:
        return None
    if settings.network is not None:
        return read_network(settings.network)
    network = shipped_network()
    if network is None and settings.descriptor is WordDescriptor.LEARNED:
        raise SpotlabError(
            f"the learned descriptor needs a network, and {network_problem()}: "
            "name the file of one, or compare by strokes"
        )
    return network


def settings_reading(settings: WordSettings, text: str) -> WordSettings:
    """Settings by which a typed text can be read: these, or those with a network of its script.

    Parameters
    ----------
    settings : WordSettings
    text : str
        Words, phrases, and AND and OR between them.

    Raises
    ------
    SpotlabError
        No network reads all of its letters, or the one that the settings name does not.

    Examples
    --------
    >>> settings_reading(WordSettings(), "Légataire") == WordSettings()
    True
    """
    network = network_of(settings)
    said = " ".join(chain.from_iterable(alternatives_of(text)))
    if network is None or not network.alphabet.unknown(said):
        return settings
    if settings.network is not None:
        raise no_letters(said, network.alphabet)
    return replace(settings, network=network_reading(said, network.alphabet))


def index_pages(
    entries: Sequence[PageEntry], settings: WordSettings, boxes: Items | None, folder: Path
) -> list[IndexPage]:
    """Name the files of pages.

    Parameters
    ----------
    entries : sequence of PageEntry
    settings : WordSettings
    boxes : Items or None
        Given words.
    folder : Path
    """
    digests, network = image_digests(entries), network_of(settings)
    pages = []
    for given in entries:
        own, digest, entry = (
            _boxes_on(boxes, given.name),
            digests[given.image],
            with_absolute_path(given),
        )
        if isinstance(digest, BadInput):
            pages.append(IndexPage(entry, settings, own, folder, problem=digest.problem))
            continue
        seen = str(settings.ink)
        if own is not None and network is not None:  # which says how given words run
            seen = key_of(seen, network.digest, description_version())
        key = page_key(digest, entry.frame, seen, own)
        described = None
        if network is not None:
            described = keyed_file(folder, description_key(key, network), ".described")
        words = keyed_file(folder, key, ".words")
        pages.append(IndexPage(entry, settings, own, words, described))
    return pages


def _boxes_on(boxes: Items | None, page: str) -> Boxes | None:
    """The given boxes of a page; None where boxes are to be found."""
    if boxes is None:
        return None
    if page not in boxes.pages:
        return np.empty((0, 4))
    here: Boxes = boxes.boxes[boxes.page == boxes.pages.index(page)]
    return here


_FITTING_ROWS = 8_000  # descriptors from which the projection is fitted, as many from each page

MEMORY = 256 * 2**20  # bytes of descriptors that are held while an index is made
_KEPT = 8  # spaces: to fit one again takes longer than all else of an index that is there


_spaces: dict[object, FeatureSpace] = {}  # by the settings and the names of the files they are from
_lock = Lock()


def default_cache() -> Path:
    """Folder of the index files unless another one is named."""
    return cache_folder("words")


def build_index(
    pages: Sequence[Path | PageEntry],
    settings: WordSettings | None = None,
    *,
    boxes: Items | None = None,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> WordIndex:
    """Find and describe the words of all pages.

    Each page's words are kept in a file as soon as they are found, so that a build that was
    cancelled or killed goes on where it was, and a second one only reads. The projection and the
    scale are fitted on all pages in the end.

    Parameters
    ----------
    pages : sequence of Path or PageEntry
        Images, folders of images, or pages of files, in the order in which pages follow each other.
    settings : WordSettings, optional
        Unless it names a network, words are described by the one that was adapted to the pages, if
        there is one.
    boxes : Items, optional
        Take these words instead of finding some; pages are matched by name.
    cache : Path, optional
        Folder for the files; by default the user's cache.
    jobs : int
        Number of worker processes; 0 means one per CPU core. The result does not depend on it.
    cluster : str, optional
        Address of a Dask scheduler whose workers do the work; see `spotlab.compute.executor`.
    progress : Progress
        Called after each page.

    Raises
    ------
    BadInput
        No page can be read, or two have the same name.
    SpotlabError
        There are no words on them.
    NotSaved
        The folder for the files is not writable.
    Cancelled
        From ``progress``; the pages finished so far are kept.
    """
    entries = page_entries(pages)
    settings = with_adapted(settings or WordSettings(), entries)
    works = index_pages(entries, settings, boxes, cache or default_cache())
    outcomes = _make_files(works, jobs, cluster, progress)
    good, left_out = readable_pages(entries, [problem for problem, _ in outcomes])
    reused = sum(was_there for _, was_there in outcomes)
    readable = [works[number] for number in good]
    return _assembled(readable, settings, boxes, left_out, reused, progress)


def _make_files(
    pages: Sequence[IndexPage], jobs: int, cluster: str | None, progress: Progress
) -> list[tuple[str, bool]]:
    outcomes = dict(each_done(IndexPage.make, pages, jobs, cluster, progress, "finding words"))
    return [outcomes[number] for number in range(len(pages))]


def _assembled(
    works: Sequence[IndexPage],
    settings: WordSettings,
    boxes: Items | None,
    left_out: tuple[UnreadablePage, ...],
    reused: int,
    progress: Progress,
) -> WordIndex:
    """The index of pages whose files are there; no more descriptors than `MEMORY` are held."""
    files = _PageFiles(works)
    space = _space(files, settings, progress)
    page, word_boxes, apart, turns, features, descriptions = [], [], [], [], [], []
    for number in track(range(len(works)), progress, "comparing words"):
        words, description = files.take(number)
        page.append(np.full(len(words), number))
        word_boxes.append(words.boxes)
        apart.append(words.apart)
        turns.append(words.turns)
        features.append(space.apply(words.raw.astype(np.float32), _embedding(description)))
        if description is not None:
            descriptions.append(description)
    items = Items(
        tuple(work.entry.name for work in works),
        np.concatenate(page),
        np.concatenate(word_boxes),
        _texts(works, boxes),
    )
    all_features, overlaps = np.concatenate(features), ItemOverlaps.of(items)
    network = network_of(settings)
    learned = None if network is None else LearnedWords.of(network, descriptions)
    return WordIndex(
        items, all_features, space, overlaps, fit_scale(all_features, overlaps), settings,
        tuple(work.entry for work in works), boxes is not None, left_out, reused, learned,
        np.concatenate(apart), np.concatenate(turns),
    )  # fmt: skip


class _PageFiles:
    """The files of pages, which are read twice only if they do not all fit into memory.

    Parameters
    ----------
    works : sequence of IndexPage
    """

    def __init__(self, works: Sequence[IndexPage]) -> None:
        self.works = works
        self._left = MEMORY
        self._held: dict[int, tuple[PageWords, PageDescription | None]] = {}

    def look(self, number: int) -> tuple[PageWords, PageDescription | None]:
        """A page that is wanted again."""
        words = self.works[number].words()
        description = self.works[number].description(words)
        if words.raw.nbytes <= self._left:  # descriptions are held anyway
            self._left -= words.raw.nbytes
            self._held[number] = replace(words, changes=words.changes[:0].copy()), description
        return words, description

    def take(self, number: int) -> tuple[PageWords, PageDescription | None]:
        """A page that is not wanted any more; of one that was held there are no changes."""
        held = self._held.pop(number, None)
        if held is not None:
            return held
        words = self.works[number].words()
        return words, self.works[number].description(words)


def _space(files: _PageFiles, settings: WordSettings, progress: Progress) -> FeatureSpace:
    """The space that is fitted to some words of each page; the same pages have the same."""
    names = tuple((work.file.name, work.described and work.described.name) for work in files.works)
    with _lock:
        space = _spaces.pop((settings, names), None)
    if space is None:
        space = _fitted_space(files, settings, progress)
    with _lock:
        _spaces[settings, names] = space  # the one that was used last is the last
        for key in list(_spaces)[:-_KEPT]:
            del _spaces[key]
    return space


def _fitted_space(files: _PageFiles, settings: WordSettings, progress: Progress) -> FeatureSpace:
    works = files.works
    most = max(_FITTING_ROWS // len(works), 1)
    samples, changes, embeddings, sampled_page, sampled_boxes = [], [], [], [], []
    for number in track(range(len(works)), progress, "reading words"):
        words, description = files.look(number)
        step = np.linspace(0, len(words) - 1, min(most, len(words))).astype(np.int64)
        samples.append(words.raw[step].astype(np.float32))
        sampled_page.append(np.full(len(step), number))
        sampled_boxes.append(words.boxes[step])
        share = np.linspace(0, len(words.changes) - 1, min(most, len(words.changes)))
        changes.append(words.changes[share.astype(np.int64)].astype(np.float32))
        embedding = _embedding(description)
        if embedding is not None:
            embeddings.append(embedding[step])
    sample = np.concatenate(samples)
    if not len(sample):
        raise SpotlabError(f"there are no words on {works[0].entry.image}" + (
            f" and {len(works) - 1} more pages" if len(works) > 1 else ""))  # fmt: skip
    learned = None
    if embeddings:
        said = np.concatenate(embeddings)
        learned = learned_projection(said)
        if settings.descriptor is WordDescriptor.LEARNED:
            return FeatureSpace(None, learned, 1.0)
    progress(0, None, "fitting descriptors")
    places, corners = np.concatenate(sampled_page), np.concatenate(sampled_boxes)
    strokes = Projection.fit(
        sample,
        np.concatenate(changes),
        carried=WIDTH,
        partners=lambda seen, used: likely_pairs(seen, places[used], corners[used]),
    )
    if learned is None:
        return FeatureSpace(strokes)
    return FeatureSpace(strokes, learned, learned_share(strokes.apply(sample), learned.apply(said)))


def _embedding(description: PageDescription | None) -> NDArray[np.float32] | None:
    """(N, E) of the words of a page; None without a network."""
    if description is None:
        return None
    return np.asarray(description.described.embedding.astype(np.float32)[description.row])


def _texts(works: Sequence[IndexPage], boxes: Items | None) -> tuple[str | None, ...]:
    """The texts of given boxes."""
    if boxes is None or not boxes.texts:
        return ()
    number = {name: place for place, name in enumerate(boxes.pages)}
    on_pages = [number.get(work.entry.name, -1) for work in works]
    return tuple(
        boxes.texts[word]
        for place in on_pages
        for word in np.flatnonzero(boxes.page == place).tolist()
    )
