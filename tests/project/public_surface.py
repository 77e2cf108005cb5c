"""Public surface of spotlab: what `resources/help/public.md` promises to keep, as text.

``python -m tests.project.public_surface`` records it anew in `tests/data/public_surface.txt`.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import spotlab
from spotlab.cli.options import OLDER
from spotlab.cli.root import _root

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "tests" / "data" / "public_surface.txt"


def surface() -> list[str]:
    """A line for each public thing, in an order that does not change."""
    parts = of_python(), of_commands(_root(), "spotlab"), of_json(), of_entry_points()
    return [line for part in parts for line in sorted({*part})]


def of_python() -> Iterator[str]:
    """Functions with their parameters and defaults, and what their results have."""
    for name in spotlab.__all__:
        value: Any = getattr(spotlab, name)
        if isinstance(value, type):
            yield f"python {name}: an error"
        elif inspect.isfunction(value):
            for each in inspect.signature(value).parameters.values():
                yield f"python {name}({each.name}{_default(each)})"
            yield f"python {name} -> {_result(value)}"
    for kind in results():
        for name, member in inspect.getmembers(kind):
            if name.startswith("_") or name in ("keys", "values", "items", "get"):
                continue
            if not inspect.isfunction(member):
                yield f"python {kind.__name__}.{name}"
                continue
            parameters = list(inspect.signature(member).parameters.values())[1:]
            shown = ", ".join(f"{each.name}{_default(each)}" for each in parameters)
            yield f"python {kind.__name__}.{name}({shown})"
        for name in getattr(kind, "__dataclass_fields__", ()):
            yield f"python {kind.__name__}.{name}"


def results() -> list[type]:
    """The classes of the functions' results."""
    from spotlab.api import (  # noqa: PLC0415
        compare_runs,
        compare_systems,
        curves,
        evaluate,
        hull_of_stroke,
        read_run,
        read_truth,
        rerank,
        spot_symbols,
        spot_words,
        uncertain,
    )

    modules = (
        compare_runs, compare_systems, curves, evaluate, hull_of_stroke, read_run,
        read_truth, rerank, spot_symbols, spot_words, uncertain,
    )  # fmt: skip
    return [
        each
        for module in modules
        for each in vars(module).values()
        if inspect.isclass(each) and each.__module__ == module.__name__ and each.__doc__
        if hasattr(each, "summary")
    ]


def _default(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        return ""
    return f"={getattr(parameter.default, '__name__', repr(parameter.default))}"


def _result(function: Any) -> str:
    return str(inspect.signature(function).return_annotation)


def of_commands(command: click.Command, path: str) -> Iterator[str]:
    """Commands with their options, older spellings among them."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from of_commands(inner, f"{path} {name}")
        return
    yield f"command {path}"
    for each in command.params:
        if isinstance(each, click.Argument):
            yield f"command {path} {each.human_readable_name}"
            continue
        for option in (*each.opts, *each.secondary_opts):
            yield f"command {path} {option}"
        older = OLDER.get(str(each.name)) if type(each).__name__ == "SettingOption" else None
        if older:
            yield f"command {path} {older} (older)"


def of_json() -> Iterator[str]:
    """Keys of `as_dict`, which `--json` writes, of small inputs; names in the data are left out."""
    points = ["0,0 20,0 20,10 0,10"]
    truth = {"page": ["p"], "label": ["bed"], "points": points, "page_width": [99],
             "page_height": [99]}  # fmt: skip
    run = {"query": ["bed"], "page": ["p"], "score": [1], "points": points}
    lists = {"query": ["q", "q"], "item": ["a", "b"], "score": [0.9, 0.8], "relevant": [1, 0]}
    ideal = {"query": ["q"], "rank": [1], "item": ["a"], "relevance": [1.0]}
    judged = {"subject": ["A"], "item": ["i"], "category": ["c"]}
    answers = {"query": ["c"], "rank": [1], "item": ["i"]}
    made = {
        "evaluate": spotlab.evaluate(truth, run, draws=0),
        "scalability": spotlab.scalability(truth, run, draws=2),
        "annotators": spotlab.annotators({"A": truth, "B": truth}),
        "rerank": spotlab.rerank(lists),
        "consensus": spotlab.compare_systems({"A": [1, 0], "B": [1, 1]}),
        "uncertain": spotlab.uncertain(judged, {"c": "all"}, answers),
        "displacement": spotlab.displacement(ideal, ideal),
        "validate": spotlab.validate(spotlab.sample_collection() / "plan_001.xml"),
    }
    for name, result in made.items():
        for key in sorted({*_keys(result.as_dict(), "")}):
            yield f"json {name}: {key}"


def _keys(value: Any, path: str) -> Iterator[str]:
    """Paths of the keys down to the second level; deeper ones depend on the data."""
    if isinstance(value, list | tuple):
        for each in value[:1]:
            yield from _keys(each, f"{path}[]")
        return
    if not isinstance(value, dict):
        return
    for name, inner in value.items():
        place = f"{path}.{name}".lstrip(".")
        yield place
        if place.count(".") < 1:
            yield from _keys(inner, place)


def of_entry_points() -> Iterator[str]:
    """Groups of entry points that CONTRIBUTING.md offers, and the program's own name."""
    for line in (ROOT / "CONTRIBUTING.md").read_text("utf-8").splitlines():
        if line.startswith("| ") and "`spotlab." in line and line.count("|") == 5:
            yield f"entry point {line.split('`')[-2]}"
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for name in about["project"]["scripts"]:
        yield f"program {name}"


if __name__ == "__main__":
    RECORD.write_text("\n".join(surface()) + "\n", "utf-8")
    print(f"wrote {RECORD}")
