"""A signal that needs no Qt: those below tell those above that something happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec

Arguments = ParamSpec("Arguments")


class Signal(Generic[Arguments]):
    """Calls every connected function, in the order in which they were connected.

    Examples
    --------
    >>> changed = Signal[[str]]()
    >>> disconnect = changed.connect(print)
    >>> changed.emit("label")
    label
    >>> disconnect()
    >>> changed.emit("unheard")
    """

    def __class_getitem__(cls, arguments: object) -> type[Signal[...]]:
        """The class itself: what it carries is for those who check types; to keep it is slow."""
        return cls

    def __init__(self) -> None:
        self._listeners: list[Callable[Arguments, object]] = []

    def connect(self, listener: Callable[Arguments, object]) -> Callable[[], None]:
        """Call ``listener`` from now on; the function returned ends that."""
        self._listeners.append(listener)

        def disconnect() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return disconnect

    def emit(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        """Tell all listeners."""
        for listener in tuple(self._listeners):
            listener(*args, **kwargs)
