"""spotlab: draw the truth of document images, judge the systems that spot things in them.

Its jobs are functions here; each is imported when it is used for the first time::

    import spotlab

    truth = spotlab.read_truth("plans/")
    result = spotlab.evaluate(truth, ["mine.csv", "theirs.csv"])
    result.frame()
"""

from __future__ import annotations

import os
from importlib import import_module

__version__ = "1.0.0"

# ONNX Runtime reports its users' machines to its maker unless this is set before it is imported:
# set here, every command and worker process has it. An option of its session comes too late.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

_MODULES = {
    "adapt_words": "spotlab.api.spot_words",
    "annotators": "spotlab.api.compare_runs",
    "compare_runs": "spotlab.api.compare_runs",
    "compare_systems": "spotlab.api.compare_systems",
    "convert": "spotlab.api.hull_of_stroke",
    "displacement": "spotlab.api.uncertain",
    "evaluate": "spotlab.api.evaluate",
    "hull_of_stroke": "spotlab.api.hull_of_stroke",
    "read_run": "spotlab.api.read_run",
    "read_truth": "spotlab.api.read_truth",
    "rerank": "spotlab.api.rerank",
    "sample_collection": "spotlab.resources",
    "scalability": "spotlab.api.compare_runs",
    "spot_propose": "spotlab.api.hull_of_stroke",
    "spot_symbols": "spotlab.api.spot_symbols",
    "spot_words": "spotlab.api.spot_words",
    "uncertain": "spotlab.api.uncertain",
    "validate": "spotlab.api.hull_of_stroke",
    "write_truth": "spotlab.api.read_truth",
    "BadArgument": "spotlab.errors",
    "BadInput": "spotlab.errors",
    "BadLines": "spotlab.errors",
    "SpotlabError": "spotlab.errors",
}

__all__ = ["__version__", *_MODULES]  # noqa: PLE0604 - `__init__.pyi` names them for type checkers


def __getattr__(name: str) -> object:
    """Import what is used for the first time."""
    if name not in _MODULES:
        raise AttributeError(f"module 'spotlab' has no attribute {name!r}")
    return globals().setdefault(name, getattr(import_module(_MODULES[name]), name))


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
