"""How many processor cores work may use."""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar

_OPENCV = "OPENCV_FOR_THREADS_NUM"  # which OpenCV reads when it is loaded
_ALL = -1  # as OpenCV calls its default

_CORES: ContextVar[int] = ContextVar("cores", default=0)  # 0 for all


def cores() -> int:
    """How many processor cores work may use, called from this thread: all unless `use_cores` says.

    Returns
    -------
    int
        At least 1; those that the system gives this process, where it says so.

    Examples
    --------
    >>> cores() >= 1
    True
    """
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return _CORES.get() or (len(allowed(0)) if allowed else os.cpu_count() or 1)


def use_cores(count: int) -> None:
    """Use so many processor cores from now on, in work that this thread asks for.

    OpenCV has one number for all threads. A second thread of its own gains a twentieth where it
    takes a tenth more processor time, which is missing where other work goes on side by side.

    Parameters
    ----------
    count : int
        0 for all.

    Examples
    --------
    >>> from contextvars import copy_context
    >>> context = copy_context()
    >>> context.run(use_cores, 3)
    >>> context.run(cores)
    3
    >>> context.run(use_cores, 0)
    """
    limited = _CORES.get()
    _CORES.set(count)
    if not count and not limited:
        return  # whoever set OpenCV's number, it is not for us to change
    os.environ.pop(_OPENCV, None)
    limit = getattr(sys.modules.get("cv2"), "setNumThreads", None)  # another thread may load it
    if limit is not None:
        limit(count or _ALL)
    elif count:
        os.environ[_OPENCV] = str(count)
