"""What workspaces know, made when somebody asks for it first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, cast

from spotlab.signal import Signal

Owner = TypeVar("Owner")
State = TypeVar("State")


class States(Generic[Owner]):
    """One state of each kind.

    Parameters
    ----------
    owner : object
        What each is made with: the workbench.

    Attributes
    ----------
    wanted : Signal
        Emitted with a kind of which there is none yet, so that others can make what belongs to it.
    """

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._made: dict[object, object] = {}
        self.wanted = Signal[[Callable[[Owner], object]]]()

    def of(self, kind: Callable[[Owner], State]) -> State:
        """The state of a kind; see `Workbench.state`."""
        if kind not in self._made:
            self.wanted.emit(kind)
        if kind not in self._made:  # nor has anybody made it now
            self._made[kind] = kind(self._owner)
        return cast(State, self._made[kind])
