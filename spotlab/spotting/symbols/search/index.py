"""The index of a collection: the features of each page, kept in files."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from spotlab.compute import each_done
from spotlab.errors import BadInput, NotSaved, SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.store.entries import cache_folder, keyed_file
from spotlab.imaging.reading.pixels import read_page
from spotlab.progress import Progress, silent
from spotlab.spotting.page_entries import (
    UnreadablePage,
    image_digests,
    page_entries,
    readable_pages,
    with_absolute_path,
)
from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings, extract_features
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.methods import spotting_methods
from spotlab.spotting.symbols.search.index_file import page_key, read_features, write_features

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
