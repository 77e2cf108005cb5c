"""The contracts of layers notice what they are for, and files stay small enough to read."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*ROOT.glob("spotlab/**/*.py"), *ROOT.glob("tests/**/*.py")])
MOST_LINES, MOST_CLASS_LINES = 400, 300  # of code: docstrings, comments and blanks do not count

IMPORT_ALL_WITHOUT_QT = """
import importlib, pkgutil, sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph", "qtawesome"):
            raise ModuleNotFoundError(f"{name} is blocked", name=name)

sys.meta_path.insert(0, NoQt())
import spotlab
for module in pkgutil.walk_packages(spotlab.__path__, "spotlab.", onerror=lambda name: None):
    if not module.name.startswith("spotlab.gui"):
        print(module.name)
        importlib.import_module(module.name)
"""


Class = tuple[int, tuple[str, ...]]  # lines of code, names of parents


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """All statements of a file, and what they are in."""
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        yield node
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            left.extend(getattr(node, name, ()))


@cache
def measured(file: Path) -> tuple[int, dict[str, Class]]:
    """Number of a file's lines of code, and its classes by name."""
    source = file.read_text("utf-8")
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    prose: set[int] = set()
    classes = []
    for node in statements(ast.parse(source)):
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            prose.update(range(first.lineno, (first.end_lineno or 0) + 1))
        if isinstance(node, ast.ClassDef):
            classes.append(node)
    lines = enumerate(source.splitlines(), 1)
    code = {number for number, line in lines if line.strip() and line.strip()[0] != "#"} - prose
    return len(code), {
        node.name: (
            len(code.intersection(range(node.lineno, (node.end_lineno or 0) + 1))),
            tuple(re.split(r"[\[(]", ast.unparse(base))[0] for base in node.bases),
        )
        for node in classes
    }


def classes() -> dict[str, Class]:
    """All classes of spotlab by module and name."""
    return {
        f"{file.relative_to(ROOT)}:{name}": each
        for file in ROOT.glob("spotlab/**/*.py")
        for name, each in measured(file)[1].items()
    }


def with_parents(name: str, own: dict[str, Class]) -> int:
    """Lines of code of a class and of its parents inside spotlab."""
    lines, parents = own[name]
    for parent in parents:
        short = parent.rsplit(".", 1)[-1]
        alike = [other for other in own if other.rsplit(":", 1)[-1] == short and other != name]
        lines += max((with_parents(other, own) for other in alike), default=0)
    return lines


STRAYS = {  # what is in a file, the contract that it breaks, and what that says of it
    "model/stray.py": ("import PySide6", "Only gui knows Qt", "spotlab.model.stray -> PySide6"),
    "imaging/stray.py": (
        "from spotlab.formats.rows import files",
        "Layers: each imports only what stands below it",
        "spotlab.imaging.stray -> spotlab.formats.rows.files",
    ),
    "editing/stray.py": (
        "import lxml.etree", "Only formats knows lxml", "spotlab.editing.stray -> lxml",
    ),
    "utils/__init__.py": (
        "", "Layers: each imports only what stands below it", "- spotlab.utils\n",
    ),
    "cli/stray.py": (
        "from spotlab.lab.draw import collection", "Layers: each imports only what stands below it",
        "spotlab.cli.stray -> spotlab.lab.draw.collection",
    ),
    "lab/train/stray.py": (
        "from spotlab.lab.parts import part_tally",
        "Laboratory: each room imports only what stands below it",
        "spotlab.lab.train.stray -> spotlab.lab.parts.part_tally",
    ),
    "gui/words/stray.py": (
        "from spotlab.gui.inspect import layer", "gui: each imports only what stands below it",
        "spotlab.gui.words.stray -> spotlab.gui.inspect.layer",
    ),
    "gui/kit/stray.py": (
        "from spotlab.gui.pages import workbench", "gui: each imports only what stands below it",
        "spotlab.gui.kit.stray -> spotlab.gui.pages.workbench",
    ),
    "gui/stray/__init__.py": (
        "", "gui: each imports only what stands below it", "- spotlab.gui.stray\n",
    ),
    "geometry/one.py": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from spotlab.geometry import two",
        "No circles among siblings", "No cycles are allowed in spotlab.geometry.",
    ),
    "geometry/two.py": (
        "from spotlab.geometry import one", "No circles among siblings", "- .two -> .one",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def said_of_strays(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said of the package with all of them in it."""
    folder = tmp_path_factory.mktemp("strays")
    shutil.copytree(ROOT / "spotlab", folder / "spotlab", ignore=lambda *_: ["__pycache__"])
    shutil.copy(ROOT / "pyproject.toml", folder)
    for file, (content, _, _) in STRAYS.items():
        stray = folder / "spotlab" / file
        stray.parent.mkdir(exist_ok=True)
        stray.write_text(f'"""Stray."""\n{content}\n')
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("file", STRAYS)
def test_the_contracts_notice_what_they_are_for(file: str, said_of_strays: str) -> None:
    """Each says which file breaks it; a circle counts also where only types are imported."""
    _, contract, said = STRAYS[file]
    assert re.search(f"^{contract}\\b.* BROKEN$", said_of_strays, re.MULTILINE), said_of_strays
    _, _, reasons = said_of_strays.partition("Broken contracts")
    [reason] = re.findall(rf"^{contract}.*\n-+\n([\s\S]*?)(?=^[^\n]+\n-{{8,}}\n|\Z)", reasons, re.M)
    assert said in reason


def test_no_class_grows_too_large_with_the_classes_it_inherits_from() -> None:
    own = classes()
    sizes = {name: with_parents(name, own) for name in own}
    large = {name: lines for name, lines in sizes.items() if lines > MOST_CLASS_LINES}
    assert large == {}


def test_no_two_classes_have_one_name() -> None:
    names = Counter(name.rsplit(":", 1)[-1] for name in classes())
    assert {name: count for name, count in names.items() if count > 1} == {}


def test_everything_but_the_window_imports_where_qt_is_not() -> None:
    command = [sys.executable, "-c", IMPORT_ALL_WITHOUT_QT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {"spotlab.cli.root", "spotlab.errors"} <= set(done.stdout.split())


def test_no_file_grows_too_long_to_be_read() -> None:
    lines = {file: measured(file)[0] for file in SOURCES}
    assert {file: count for file, count in lines.items() if count > MOST_LINES} == {}
