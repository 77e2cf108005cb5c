"""`import spotlab` offers every job, and takes nothing along until one is used."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys

import pytest

import spotlab
from spotlab.resources import CHECKOUT

HEAVY = {
    "numpy", "pandas", "shapely", "scipy", "cv2", "lxml", "PIL", "matplotlib", "pyarrow", "numba",
    "click", "PySide6", "spotlab.api", "spotlab.errors",
}  # fmt: skip


def output_of(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_takes_nothing_along() -> None:
    assert output_of(f"import sys, spotlab; print(*({HEAVY} & set(sys.modules)))") == ""


@pytest.mark.slow
def test_pandas_is_imported_only_when_a_frame_is_asked_for() -> None:
    # pyarrow, which reads votes and ranked lists, takes pandas along where it is installed
    code = (
        "import sys, spotlab\n"
        "points = ['0,0 9,0 9,9']\n"
        "truth = {'page': ['p'], 'label': ['bed'], 'points': points,\n"
        "         'page_width': [20], 'page_height': [20]}\n"
        "run = {'query': ['bed'], 'page': ['p'], 'score': [1], 'points': points}\n"
        "result = spotlab.evaluate(truth, run, draws=0)\n"
        "repr(result), result._repr_html_(), result.as_dict()\n"
        "before = 'pandas' in sys.modules\n"
        "result.frame()\n"
        "print(before, 'pandas' in sys.modules)"
    )
    assert output_of(code) == "False True"


def test_type_checkers_and_editors_know_the_same_names() -> None:
    stub = ast.parse((CHECKOUT / "spotlab" / "__init__.pyi").read_text("utf-8"))
    named = {
        (alias.asname, node.module)
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    places = spotlab._MODULES  # type: ignore[attr-defined]
    assert named == set(places.items())
    assert {*places, "__version__"} == set(spotlab.__all__) <= set(dir(spotlab))


def test_every_name_is_there_and_described() -> None:
    for name in spotlab.__all__:
        value = getattr(spotlab, name)
        if name != "__version__":
            assert callable(value)
            assert inspect.getdoc(value)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'evalute'"):
        _ = spotlab.evalute  # type: ignore[attr-defined]
