"""Where entries are kept, if nobody names another folder."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_cache_path


def cache_folder(what: str) -> Path:
    """The folder in the user's cache for one kind of entries.

    Parameters
    ----------
    what : str
        Such as "symbols", "words", "tallies", "summaries" or "previews".

    Examples
    --------
    >>> cache_folder("words").name
    'words'
    """
    return user_cache_path("spotlab") / what
