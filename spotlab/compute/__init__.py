"""Work that falls into independent parts; nothing else knows where it is done."""

from spotlab.compute.executors import executor
from spotlab.compute.threads import each_in_threads
from spotlab.compute.works import add_up, each_done

__all__ = ["add_up", "each_done", "each_in_threads", "executor"]
