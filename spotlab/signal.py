"""A signal that needs no Qt: those below tell those above that something happened."""

from __future__ import annotations

from collections.abc import Callable
from threading import current_thread, main_thread
from typing import Any, Generic, ParamSpec
from weakref import WeakMethod

Arguments = ParamSpec("Arguments")

_observers: list[WeakMethod[Any]] = []


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
        if current_thread() is not main_thread():
            return  # what work beside changes is seen once it is handed over
        for observer in tuple(_observers):
            observe_now = observer()
            if observe_now is None:
                _observers.remove(observer)
            else:
                observe_now()


def observe(method: Callable[[], object]) -> None:
    """Call a method after every signal of the main thread, for as long as its object lives.

    For what depends on much of the program and is worked out anew at once, such as the state of all
    menus.
    """
    _observers.append(WeakMethod(method))
