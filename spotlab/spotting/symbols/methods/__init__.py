"""The methods of symbol spotting: one for each descriptor, and one for each file here."""

from __future__ import annotations

from functools import cache

from spotlab.errors import SpotlabError
from spotlab.registry import discover
from spotlab.spotting.symbols.engine.method import SpottingMethod
from spotlab.spotting.symbols.voting.descriptor import descriptors
from spotlab.spotting.symbols.voting.relational import Relational

__all__ = ["method_of", "methods"]


@cache
def methods() -> dict[str, SpottingMethod]:
    """All methods by name: one for each descriptor, then the folder's, then entry points'."""
    relational = {
        name: Relational(descriptor) for name, descriptor in sorted(descriptors().items())
    }
    return relational | discover(__name__, SpottingMethod, frozenset(relational))


def method_of(name: str) -> SpottingMethod:
    """The method of this name.

    Parameters
    ----------
    name : str

    Raises
    ------
    SpotlabError
        There is no such method; the message lists those there are.
    """
    if name not in methods():
        raise SpotlabError(f"there is no method {name!r}; there are {', '.join(sorted(methods()))}")
    return methods()[name]
