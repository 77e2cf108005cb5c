"""A signal that needs no Qt: those below tell those above that something happened."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from threading import current_thread, main_thread
from typing import Any, Generic, ParamSpec
from weakref import WeakMethod

Arguments = ParamSpec("Arguments")

_observers: list[WeakMethod[Any]] = []


def owner_of(listener: Any) -> object:
    """Return the object whose method a function is, also within a `partial`; None of others.

    Parameters
    ----------
    listener : callable

    Examples
    --------
    >>> names = ["sofa"]
    >>> owner_of(partial(names.count, "sofa")) is names, owner_of(owner_of)
    (True, None)
    """
    while isinstance(listener, partial):
        listener = listener.func
    return getattr(listener, "__self__", None)


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
        self._listeners: dict[int, Callable[Arguments, object]] = {}
        self._numbers = count()

    def connect(
        self, listener: Callable[Arguments, object], owner: object = None
    ) -> Callable[[], None]:
        """Call ``listener`` from now on; the function returned ends that.

        It ends by itself when Qt deletes the object whose method the listener is, also within a
        `partial`; another function names that object as its ``owner``.
        """
        number = next(self._numbers)
        self._listeners[number] = listener
        forget = WeakMethod(self._forget)

        def disconnect(*_: object) -> None:
            end = forget()
            if end is not None:
                end(number)

        owner = owner_of(listener) if owner is None else owner
        destroyed = getattr(owner, "destroyed", None)
        if destroyed is not None:
            destroyed.connect(disconnect)
        return disconnect

    def _forget(self, number: int) -> None:
        self._listeners.pop(number, None)

    def emit(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        """Tell all listeners that are still connected when it is their turn."""
        for number, listener in tuple(self._listeners.items()):
            if number in self._listeners:
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
