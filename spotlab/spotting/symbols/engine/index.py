"""The index of a collection's symbols: what the methods see of each page, kept in files."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_cache_path

from spotlab.compute import each_done
from spotlab.errors import BadInput, NotSaved, SpotlabError
from spotlab.formats.truth.folder import PageEntry
from spotlab.imaging.pixels import read_page
from spotlab.progress import Progress, silent
from spotlab.spotting.page_entries import (
    LeftOut,
    for_workers,
    image_digests,
    page_entries,
    readable,
)
from spotlab.spotting.page_file import keyed_file
from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings, see_page
from spotlab.spotting.symbols.engine.index_file import page_key, read_seen, write_seen
from spotlab.spotting.symbols.engine.method import methods
from spotlab.spotting.symbols.engine.page_features import Seen

__all__ = [
    "LeftOut",
    "SymbolIndex",
    "build_index",
    "default_cache",
    "page_files",
    "see_entry",
    "seen_of",
]

MEMORY = 256 * 2**20  # bytes of pages that an index holds at the same time


def default_cache() -> Path:
    """Where indices are kept unless another folder is named."""
    return user_cache_path("spotlab") / "symbols"


def page_files(
    entries: Sequence[PageEntry], settings: SymbolSettings, cache: Path
) -> list[Path | BadInput]:
    """The file for what is seen on each page, whether it is there or not; why there is none."""
    digests = image_digests(entries)
    found: list[Path | BadInput] = []
    for entry in entries:
        digest = digests[entry.image]
        if isinstance(digest, str):
            key = page_key(digest, entry.frame, repr(settings))
            found.append(keyed_file(cache, key, ".symbols"))
        else:
            found.append(digest)
    return found


def see_entry(
    entry: PageEntry, settings: SymbolSettings | None = None, cache: Path | None = None
) -> Seen:
    """What the methods see of a page, from its file if that is whole, else kept there now.

    Parameters
    ----------
    entry : PageEntry
    settings : SymbolSettings, optional
    cache : Path, optional
        Folder for the files; by default the user's cache. Where it cannot be written the page is
        seen each time.

    Raises
    ------
    BadInput
        The page cannot be read.
    """
    settings = settings or SymbolSettings()
    [file] = page_files([entry], settings, cache or default_cache())
    return seen_of(entry, settings, file)


def seen_of(
    entry: PageEntry, settings: SymbolSettings, file: Path | BadInput, strict: bool = False
) -> Seen:
    """What the methods see of a page whose file is known, as `see_entry`.

    Raises
    ------
    BadInput
        The page cannot be read.
    NotSaved
        The file cannot be written, where that is ``strict``.
    """
    if isinstance(file, BadInput):
        raise file
    seen = _kept(file)
    if seen is None:
        seen = see_page(read_page(entry.image, entry.frame), settings)
        try:
            write_seen(seen, file)
        except NotSaved:
            if strict:
                raise
    return seen


@dataclass(eq=False)
class SymbolIndex:
    """The pages of a collection as the methods see them; few are in memory at the same time.

    Attributes
    ----------
    entries : tuple of PageEntry
        Pages that could be read, in the order given.
    left_out : tuple of LeftOut
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
    left_out: tuple[LeftOut, ...]
    settings: SymbolSettings
    files: dict[str, Path]
    reused: int
    memory: int = MEMORY
    _loaded: OrderedDict[str, Seen] = field(default_factory=OrderedDict, repr=False)

    def __len__(self) -> int:
        return len(self.entries)

    def page(self, name: str) -> Seen:
        """What is seen of a page; looked at again should its file be gone.

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
        self._loaded[name] = seen_of(entry, self.settings, self.files[name])
        while len(self._loaded) > 1 and self.loaded_bytes > self.memory:
            self._loaded.popitem(last=False)
        return self._loaded[name]

    @property
    def loaded_bytes(self) -> int:
        """How much the loaded pages take, without what methods make of them meanwhile."""
        return sum(_bytes_of(seen) for seen in self._loaded.values())


def build_index(
    pages: Sequence[Path | PageEntry],
    settings: SymbolSettings | None = None,
    *,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> SymbolIndex:
    """See all pages, for all methods.

    Each page is kept in a file as soon as it is seen, so that a build that was cancelled or killed
    goes on where it was, and a second one only looks whether the files are whole.

    Parameters
    ----------
    pages : sequence of Path or PageEntry
        Images, folders of images, or pages of files.
    settings : SymbolSettings, optional
    cache : Path, optional
        Folder for the files; by default the user's cache.
    jobs, cluster
        As in `spotlab.compute.executor`. The workers of a cluster have to see the same folder.
    progress : Progress
        Told of each page.

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
        (for_workers(entry), settings, file) for entry, file in zip(entries, files, strict=True)
    ]
    outcomes = dict(each_done(_index, works, jobs, cluster, progress, "seeing pages"))
    good, left_out = readable(entries, [outcomes[number][0] for number in range(len(entries))])
    kept = {entries[n].name: file for n in good if isinstance(file := files[n], Path)}
    reused = sum(was_there for _, was_there in outcomes.values())
    return SymbolIndex(tuple(entries[n] for n in good), left_out, settings, kept, reused)


def _index(work: tuple[PageEntry, SymbolSettings, Path | BadInput]) -> tuple[str, bool]:
    """See to it that a page's file is there; what is wrong with the page, and if it was there."""
    entry, settings, file = work
    if isinstance(file, Path) and _kept(file) is not None:
        return "", True
    try:
        seen_of(entry, settings, file, strict=True)
    except BadInput as error:
        return error.problem, False
    return "", False


def _kept(file: Path) -> Seen | None:
    """What the file holds, if that is what every method sees."""
    seen = read_seen(file)
    return seen if seen is not None and methods().keys() <= seen.arrays.keys() else None


def _bytes_of(seen: Seen) -> int:
    contours = seen.primitives.contours
    own = contours.points.nbytes + contours.offsets.nbytes + seen.primitives.level.nbytes
    return own + sum(array.nbytes for kept in seen.arrays.values() for array in kept.values())
