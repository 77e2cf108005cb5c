"""The index of a collection: the features of each page, kept in files."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.compute import each_done
from spotlab.errors import BadInput, NotSaved, SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.store import (
    cache_folder,
    code_digest,
    key_of,
    keyed_file,
    read_arrays,
    write_arrays,
)
from spotlab.geometry.polygon import Outlines, has_form
from spotlab.imaging.reading.pixels import read_page
from spotlab.progress import Progress, silent
from spotlab.spotting.page_entries import (
    UnreadablePage,
    image_digests,
    page_entries,
    readable_pages,
    with_absolute_path,
)
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.embedding.network import shipped_network
from spotlab.spotting.symbols.engine.method import (
    LearningMethod,
    SymbolMethod,
    SymbolSettings,
    extract_features,
)
from spotlab.spotting.symbols.engine.page_features import INK, PageFeatures
from spotlab.spotting.symbols.methods import learning_methods, methods, spotting_methods
from spotlab.spotting.symbols.voting.descriptor import Descriptor

_MAGIC = b"spotlab symbols 1\n"
_SYMBOLS = Path(__file__).parents[1]
# rooms that do not decide which features are extracted; all others do
_WITHOUT_FEATURES = {"search", "proposals"}


@cache
def extraction_version() -> str:
    """Digest that changes with everything that decides which features are extracted."""
    sources = [
        file
        for file in sorted(_SYMBOLS.rglob("*.py"))
        if file.relative_to(_SYMBOLS).parts[0] not in _WITHOUT_FEATURES
    ]
    for below in ("geometry", "imaging"):
        sources += sorted((_SYMBOLS.parents[1] / below).rglob("*.py"))
    return key_of(
        code_digest(sources), *(foreign_version(method) for method in spotting_methods().values())
    )


def foreign_version(method: SymbolMethod) -> str:
    """Digest of release and source of a method, and of its descriptor, that others offer.

    Parameters
    ----------
    method : SymbolMethod
    """
    descriptor: Descriptor | None = getattr(method, "descriptor", None)
    makers = [type(method), *([descriptor.describe] if descriptor else [])]
    parts = [method.name]
    for maker in makers:
        module = sys.modules[getattr(maker, "func", maker).__module__]  # that of a partial, too
        file = Path(module.__file__ or __file__)
        if file.is_relative_to(_SYMBOLS):
            continue
        try:
            parts.append(version(module.__name__.partition(".")[0]))
        except PackageNotFoundError:
            parts.append("")
        parts.append(code_digest([file]))
    return key_of(*parts)


def page_key(image_digest: str, frame: int, settings: str) -> str:
    """Name of a page's file, which depends on everything that its content depends on.

    Parameters
    ----------
    image_digest : str
        Digest of the image file.
    frame : int
        Number of the page in that file.
    settings : str

    Examples
    --------
    >>> page_key("0a", 0, "plain") == page_key("0a", 1, "plain")
    False
    """
    return key_of(image_digest, str(frame), settings, extraction_version())


def write_features(features: PageFeatures, path: Path) -> None:
    """Write the file; where that fails, leave what was there.

    Parameters
    ----------
    features : PageFeatures
    path : Path

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> blank = PageFeatures((80, 60), 3.0, Primitives(Outlines.of([]), np.zeros(0, np.int64)), {})
    >>> with TemporaryDirectory() as folder:
    ...     write_features(blank, Path(folder, "page.symbols"))
    ...     print(read_features(Path(folder, "page.symbols")).size)
    (80, 60)
    """
    contours = features.primitives.contours
    arrays: dict[str, NDArray[Any]] = {
        "size": np.array(features.size, np.int64),
        "pen": np.array(features.pen, np.float64),
        "level": features.primitives.level,
        "points": _narrow(contours.points),
        "offsets": contours.offsets,
    }
    for method, own in features.arrays.items():
        arrays |= {f"{method}/{name}": array for name, array in own.items()}
    arrays["methods"] = np.array(list(features.arrays), np.str_)
    write_arrays(arrays, path, _MAGIC, sparse=True)


def read_features(path: Path) -> PageFeatures | None:
    """Read the features of a page.

    Parameters
    ----------
    path : Path

    Returns
    -------
    PageFeatures or None
        None where there is no file, or it is damaged in any way.
    """
    arrays = read_arrays(path, _MAGIC)
    if arrays is None:
        return None
    try:
        width, height = arrays["size"].tolist()
        contours = Outlines(arrays["points"].astype(np.float64), arrays["offsets"])
        primitives = Primitives(contours, arrays["level"])
        kept = {str(name): _of_method(arrays, str(name)) for name in arrays["methods"]}
        features = PageFeatures((width, height), float(arrays["pen"]), primitives, kept)
        return features if _is_sound(features) else None
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def _is_sound(features: PageFeatures) -> bool:
    """Tell whether the arrays fit each other: machine code that is given others reads anywhere."""
    primitives, known = features.primitives, spotting_methods()
    ink = features.arrays.get(INK, {}).get("bits")
    width, height = features.size
    return (
        min(width, height) >= 0
        and primitives.contours.is_sound()
        and has_form(primitives.level, np.int64, len(primitives))
        and (ink is None or has_form(ink, np.uint8, height, -(-width // 8)))
        and all(
            known[name].is_sound(kept, primitives)
            for name, kept in features.arrays.items()
            if name in known
        )
    )


def _of_method(arrays: Mapping[str, NDArray[Any]], method: str) -> dict[str, NDArray[Any]]:
    start = f"{method}/"
    return {name.removeprefix(start): arrays[name] for name in arrays if name.startswith(start)}


def _narrow(points: NDArray[np.float64]) -> NDArray[Any]:
    """The same numbers in half or less of the bytes, where they are whole ones as of pixels."""
    for narrower in (np.int16, np.int32):
        limits = np.iinfo(narrower)
        if points.size == 0 or (points.min() >= limits.min and points.max() <= limits.max):
            cut = points.astype(narrower)
            if np.array_equal(cut, points):
                return cut
    return points


MEMORY = 256 * 2**20  # bytes of pages that an index holds at the same time


def default_cache() -> Path:
    """Folder of the index files unless another one is named."""
    return cache_folder("symbols")


def page_files(
    entries: Sequence[PageEntry], settings: SymbolSettings, cache: Path
) -> list[Path | BadInput]:
    """Name the file that keeps the features of each page, whether it is there or not.

    Parameters
    ----------
    entries : sequence of PageEntry
    settings : SymbolSettings
    cache : Path
        Folder for the files.

    Returns
    -------
    list of Path or BadInput
        For a page that cannot be read, why.
    """
    digests = image_digests(entries)
    files: list[Path | BadInput] = []
    for entry in entries:
        digest = digests[entry.image]
        if isinstance(digest, str):
            key = page_key(digest, entry.frame, repr(settings))
            files.append(keyed_file(cache, key, ".symbols"))
        else:
            files.append(digest)
    return files


def features_of_page(
    entry: PageEntry, settings: SymbolSettings | None = None, cache: Path | None = None
) -> PageFeatures:
    """Load the features of a page from its file, or extract and keep them.

    Parameters
    ----------
    entry : PageEntry
    settings : SymbolSettings, optional
    cache : Path, optional
        Folder for the files; by default the user's cache. Where it cannot be written, features are
        extracted each time.

    Returns
    -------
    PageFeatures
        With the arrays of every method.

    Raises
    ------
    BadInput
        The page cannot be read.
    """
    settings = settings or SymbolSettings()
    [file] = page_files([entry], settings, cache or default_cache())
    return load_features(entry, settings, file)


def load_features(
    entry: PageEntry, settings: SymbolSettings, file: Path | BadInput, strict: bool = False
) -> PageFeatures:
    """Load the features of a page whose file is known, as `features_of_page` does.

    Parameters
    ----------
    entry : PageEntry
    settings : SymbolSettings
    file : Path or BadInput
        As `page_files` gives it.
    strict : bool
        Fail where the file cannot be written.

    Raises
    ------
    BadInput
        The page cannot be read.
    NotSaved
        The file cannot be written, and ``strict``.
    """
    if isinstance(file, BadInput):
        raise file
    features = _read_complete(file)
    if features is None:
        pixels = read_page(entry.image, entry.frame)
        features = extract_features(pixels, list(spotting_methods().values()), settings)
        try:
            write_features(features, file)
        except NotSaved:
            if strict:
                raise
    return features


@dataclass(eq=False)
class SymbolIndex:
    """The features of a collection's pages, of which few are in memory at the same time.

    Attributes
    ----------
    entries : tuple of PageEntry
        Pages that could be read, in the order given.
    left_out : tuple of UnreadablePage
        Those that could not.
    settings : SymbolSettings
    files : dict of str to Path
        Each page's file.
    reused : int
        How many of them were there already.
    memory : int
        Bytes of pages that stay loaded, the last one whatever it takes.
    """

    entries: tuple[PageEntry, ...]
    left_out: tuple[UnreadablePage, ...]
    settings: SymbolSettings
    files: dict[str, Path]
    reused: int
    memory: int = MEMORY
    _loaded: OrderedDict[str, PageFeatures] = field(default_factory=OrderedDict, repr=False)

    def __len__(self) -> int:
        return len(self.entries)

    def page(self, name: str) -> PageFeatures:
        """Load the features of a page; they are extracted again where its file is gone.

        Parameters
        ----------
        name : str

        Raises
        ------
        SpotlabError
            There is no page of this name.
        BadInput
            Its file is gone, and its image cannot be read any more.
        """
        if name in self._loaded:
            self._loaded.move_to_end(name)
            return self._loaded[name]
        if name not in self.files:
            raise SpotlabError(f"the page {name!r} is not in the index")
        entry = next(entry for entry in self.entries if entry.name == name)
        self._loaded[name] = load_features(entry, self.settings, self.files[name])
        while len(self._loaded) > 1 and self.loaded_bytes > self.memory:
            self._loaded.popitem(last=False)
        return self._loaded[name]

    @property
    def loaded_bytes(self) -> int:
        """Bytes of the loaded pages, without what methods have cached of them."""
        return sum(_bytes_of(features) for features in self._loaded.values())


def build_index(
    pages: Sequence[Path | PageEntry],
    settings: SymbolSettings | None = None,
    *,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> SymbolIndex:
    """Extract the features of all pages, for all methods.

    Each page's features are kept in a file as soon as they are extracted, so that a build that was
    cancelled or killed goes on where it was, and a second one only checks the files.

    Parameters
    ----------
    pages : sequence of Path or PageEntry
        Images, folders of images, or pages of files.
    settings : SymbolSettings, optional
    cache : Path, optional
        Folder for the files; by default the user's cache.
    jobs, cluster
        As in `spotlab.compute.executor`. The workers of a cluster need access to the same folder.
    progress : Progress
        Called after each page.

    Raises
    ------
    BadInput
        No page can be read, or two have the same name.
    NotSaved
        The folder for the files is not writable.
    Cancelled
        From ``progress``; the pages finished so far are kept.
    """
    settings = settings or SymbolSettings()
    entries = page_entries(pages)
    files = page_files(entries, settings, cache or default_cache())
    works = [
        (with_absolute_path(entry), settings, file)
        for entry, file in zip(entries, files, strict=True)
    ]
    outcomes = dict(each_done(_index, works, jobs, cluster, progress, "extracting features"))
    good, left_out = readable_pages(
        entries, [outcomes[number][0] for number in range(len(entries))]
    )
    kept = {entries[n].name: file for n in good if isinstance(file := files[n], Path)}
    reused = sum(was_there for _, was_there in outcomes.values())
    return SymbolIndex(tuple(entries[n] for n in good), left_out, settings, kept, reused)


def _index(work: tuple[PageEntry, SymbolSettings, Path | BadInput]) -> tuple[str, bool]:
    """Make a page's file; returns what is wrong with the page, and whether the file was there."""
    entry, settings, file = work
    if isinstance(file, Path) and _read_complete(file) is not None:
        return "", True
    try:
        load_features(entry, settings, file, strict=True)
    except BadInput as error:
        return error.problem, False
    return "", False


def _read_complete(file: Path) -> PageFeatures | None:
    """The features in the file, if it has the arrays of every method."""
    features = read_features(file)
    is_complete = features is not None and spotting_methods().keys() <= features.arrays.keys()
    return features if is_complete else None


def _bytes_of(features: PageFeatures) -> int:
    contours = features.primitives.contours
    own = contours.points.nbytes + contours.offsets.nbytes + features.primitives.level.nbytes
    return own + sum(array.nbytes for kept in features.arrays.values() for array in kept.values())


CANDIDATES = "f"  # the method whose candidates proposals are made of
_CANDIDATES_MAGIC = b"spotlab candidates 1\n"
_PROPOSALS = Path(__file__).parents[1] / "proposals"


def prepare_page(page: PageFeatures, method: LearningMethod, file: Path) -> None:
    """Give a page what the method extracts of it: read it, or extract and keep it.

    Where nothing can be written, it is extracted each time.

    Parameters
    ----------
    page : PageFeatures
    method : LearningMethod
    file : Path
        The page's features, as `page_files` names it; the other file stands beside it.

    Examples
    --------
    >>> import numpy as np
    >>> from tempfile import TemporaryDirectory
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
    >>> with TemporaryDirectory() as folder:
    ...     prepare_page(page, learning_methods()["f"], Path(folder, "ab", "ab12.symbols"))
    ...     print(len(list(Path(folder).rglob("*.candidates"))))
    1
    """
    key = key_of(file.stem, _version(method.name))
    kept_in = keyed_file(file.absolute().parents[1], key, ".candidates")
    arrays = read_arrays(kept_in, _CANDIDATES_MAGIC)
    if arrays is not None and method.adopt(page, arrays):
        return
    try:
        write_arrays(method.extract(page), kept_in, _CANDIDATES_MAGIC, sparse=True)
    except NotSaved:
        return


def prepared_page(
    entry: PageEntry, settings: SymbolSettings | None = None, cache: Path | None = None
) -> PageFeatures:
    """Load the features of a page with the candidates that proposals are made of.

    Parameters
    ----------
    entry : PageEntry
    settings : SymbolSettings, optional
    cache : Path, optional
        As in `spotlab.spotting.symbols.search.index.features_of_page`.

    Returns
    -------
    PageFeatures

    Raises
    ------
    BadInput
        The page cannot be read.
    """
    settings = settings or SymbolSettings()
    [file] = page_files([entry], settings, cache or default_cache())
    with _one_at_a_time(str(file)):  # of several that want the page, one sees it for all
        features = load_features(entry, settings, file)
        if isinstance(file, Path):
            prepare_page(features, learning_methods()[CANDIDATES], file)
    return features


@lru_cache(maxsize=256)
def _one_at_a_time(file: str) -> Lock:
    return Lock()


@cache
def _version(name: str) -> str:
    """Digest that changes with everything that decides what the method extracts."""
    code = code_digest(sorted(_PROPOSALS.rglob("*.py")))
    return key_of(code, shipped_network().digest, foreign_version(methods()[name]))
