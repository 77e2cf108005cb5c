"""Work that falls into independent parts; nothing else knows where it is done."""

from spotlab.compute.executors import each_in_threads, executor
from spotlab.compute.works import add_up, each_done

__all__ = ["add_up", "each_done", "each_in_threads", "executor"]
