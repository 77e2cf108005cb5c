"""The docstrings of the library tell what its functions take and give, and where they come from."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import spotlab
from tests.docstring_figures import FIGURES, THRESHOLDS, counted, definitions_in

PACKAGE = Path(spotlab.__file__).parent
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
COMPLETE = '''
def rotate(points: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """Rotate points about the origin.

    Parameters
    ----------
    points : (N, 2) float
        x, y in px.
    angle : float
        In degrees.

    Examples
    --------
    >>> rotate(np.zeros((1, 2)), 90).tolist()
    [[0.0, 0.0]]
    """
'''


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES)
def test_docstrings_reach_the_share_that_is_asked(figure: str) -> None:
    count = counted()[figure]
    assert count.percent >= THRESHOLDS[figure], "\n".join(count.missing)


@pytest.mark.parametrize(
    ("part", "figure"),
    [
        ("    angle : float\n        In degrees.\n", "parameters"),
        ("(N, 2)", "shapes or units"),
        (">>> ", "examples"),
    ],
)
def test_what_is_missing_is_noticed(part: str, figure: str) -> None:
    for source, missing in ((COMPLETE, ()), (COMPLETE.replace(part, ""), ("transform.rotate",))):
        parts = tuple(definitions_in(source, "geometry", "transform"))
        assert counted("geometry", parts)[figure].missing == missing


def first_words(source: str) -> dict[str, str]:
    """The first word of each docstring, by what has it."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, DOCUMENTED)]
    texts = {getattr(node, "name", "module"): ast.get_docstring(node) for node in nodes}
    return {name: text.split()[0].lower() for name, text in texts.items() if text}


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    assert first_words('"""What is read."""\ndef read(): "Read."') == {
        "module": "what",
        "read": "read.",
    }
    clauses = {"what", "whether", "how", "where", "which", "who", "whose", "when"}
    odd = [
        f"{file.relative_to(PACKAGE)}: {name}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for name, word in first_words(file.read_text("utf-8")).items()
        if word in clauses
    ]
    assert odd == []
