"""The methods of symbol spotting: one for each descriptor, and one for each file here."""

from __future__ import annotations

from functools import cache

from spotlab.errors import SpotlabError
from spotlab.registry import discover
from spotlab.spotting.symbols.engine.method import LearningMethod, SpottingMethod, SymbolMethod
from spotlab.spotting.symbols.voting.descriptor import descriptors
from spotlab.spotting.symbols.voting.relational import Relational

__all__ = ["learning_methods", "method_of", "methods", "spotting_method_of", "spotting_methods"]


@cache
def methods() -> dict[str, SymbolMethod]:
    """All methods by name: one for each descriptor, then the folder's, then entry points'."""
    relational = {
        name: Relational(descriptor) for name, descriptor in sorted(descriptors().items())
    }
    # of a class without abstract methods, as mypy sees it
    kind: type[SymbolMethod] = SymbolMethod
    return relational | discover(__name__, kind, frozenset(relational))


def spotting_methods() -> dict[str, SpottingMethod]:
    """The methods that compare pages with query models, by name."""
    return {
        name: method for name, method in methods().items() if isinstance(method, SpottingMethod)
    }


def learning_methods() -> dict[str, LearningMethod]:
    """The methods that learn from the truth of pages, by name."""
    return {
        name: method for name, method in methods().items() if isinstance(method, LearningMethod)
    }


def method_of(name: str) -> SymbolMethod:
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


def spotting_method_of(name: str) -> SpottingMethod:
    """The method of this name, which compares pages with query models.

    Parameters
    ----------
    name : str

    Raises
    ------
    SpotlabError
        There is no such method, or it learns from truth instead.
    """
    method = method_of(name)
    if not isinstance(method, SpottingMethod):
        able = ", ".join(sorted(spotting_methods()))
        raise SpotlabError(f"method {name!r} learns from truth; use one of {able}")
    return method
