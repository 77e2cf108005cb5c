"""numba's own cache of machine code, except that only undamaged files are loaded."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
import numba.core.caching

from spotlab.geometry.compiled.checked_files import read_checked, write_checked

# numba has types, but not here
caching: Any = numba.core.caching


class _CheckedFiles(caching.IndexDataCacheFile):  # type: ignore[misc]
    """The files of one function; numba would unpickle and run whatever they hold."""

    def _load_index(self) -> Any:
        content = read_checked(Path(self._index_path))
        if content is None:
            return {}
        stream = io.BytesIO(content)
        if pickle.load(stream) != self._version:
            return {}
        stamp, overloads = pickle.load(stream)
        return overloads if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        content = read_checked(Path(self._data_path(name)))
        if content is None:
            raise FileNotFoundError(name)  # numba then compiles
        return pickle.loads(content)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        write_checked(Path(filepath), content.getvalue())


class _CheckedCache(caching.FunctionCache):  # type: ignore[misc]
    """The cache of one function in a folder of its own."""

    _cache_file: Any

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with suppress(Exception):  # stored by a numba that is built in another way
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):  # the disk is full, …: it is compiled at the next start, too
            super().save_overload(sig, data)


def store_in_folder(function: Any, folder: Path) -> None:
    """Make a function that numba compiles keep its machine code in a folder.

    Parameters
    ----------
    function : numba dispatcher
        What `numba.njit` returns.
    folder : Path
        It has to exist.
    """
    config: Any = numba.config
    before, config.CACHE_DIR = config.CACHE_DIR, os.fspath(folder)
    try:
        function._cache = _CheckedCache(function.py_func)
    finally:
        config.CACHE_DIR = before  # other users of numba keep theirs
