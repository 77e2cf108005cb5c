"""Keeps what a learning method extracts of a page in a file beside the page's features."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from threading import Lock

from spotlab.errors import NotSaved
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.store.entries import code_digest, key_of, keyed_file, read_arrays, write_arrays
from spotlab.spotting.symbols.embedding.network import shipped_network
from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings
from spotlab.spotting.symbols.engine.learning_method import LearningMethod
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.methods import learning_methods, methods
from spotlab.spotting.symbols.search.index import default_cache, load_features, page_files
from spotlab.spotting.symbols.search.index_file import foreign_version

CANDIDATES = "f"  # the method whose candidates proposals are made of
_MAGIC = b"spotlab candidates 1\n"
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
    >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_ink
    >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
    >>> with TemporaryDirectory() as folder:
    ...     prepare_page(page, learning_methods()["f"], Path(folder, "ab", "ab12.symbols"))
    ...     print(len(list(Path(folder).rglob("*.candidates"))))
    1
    """
    key = key_of(file.stem, _version(method.name))
    kept_in = keyed_file(file.absolute().parents[1], key, ".candidates")
    arrays = read_arrays(kept_in, _MAGIC)
    if arrays is not None and method.adopt(page, arrays):
        return
    try:
        write_arrays(method.extract(page), kept_in, _MAGIC, sparse=True)
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
