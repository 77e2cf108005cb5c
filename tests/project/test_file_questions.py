"""Questions to the file system go through `spotlab.files`, which says what its answers mean."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import spotlab
from spotlab.files import is_folder

PACKAGE = Path(spotlab.__file__).parent
QUESTIONS = {"exists", "is_dir", "is_file", "isdir", "isfile", "is_mount", "ismount"}
ITSELF = {
    "files.py",  # which answers them
    "formats/collection/folder.py:_is_folder",  # of what `os.scandir` lists
    "formats/collection/containers.py:_of_zip", "formats/collection/containers.py:_of_tar",
}  # fmt: skip


def questions(path: Path) -> Iterator[str]:
    """Where a module asks the file system by itself, as ``file:function``."""
    tree = ast.parse(path.read_text("utf-8"))
    name = path.relative_to(PACKAGE).as_posix()
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        asks_path = not call.args and not call.keywords
        asks_module = isinstance(call.func.value, ast.Attribute) and call.func.value.attr == "path"
        if call.func.attr in QUESTIONS and (asks_path or asks_module):
            inside = [each.name for each in functions if each.lineno <= call.lineno
                      and call.lineno <= (each.end_lineno or 0)]  # fmt: skip
            yield f"{name}:{inside[-1]}" if inside else name


@pytest.mark.slow
def test_no_module_asks_the_file_system_by_itself() -> None:
    """`Path.exists` raises, or hides, what the file system answers, and differs among Pythons.

    `spotlab.files` has `exists`, `is_file` and `is_folder`, which never raise, and `is_missing`
    for where False would mean that something new is begun.
    """
    asking = {place for path in PACKAGE.rglob("*.py") for place in questions(path)}
    assert {place for place in asking if place not in ITSELF and place[:8] != "files.py"} == set()


def test_the_test_sees_questions(tmp_path: Path) -> None:
    module = PACKAGE / "formats" / "collection" / "folder.py"
    assert list(questions(module)) == ["formats/collection/folder.py:_is_folder"]
    assert is_folder(PACKAGE)
