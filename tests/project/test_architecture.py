"""The layers of architecture.md hold, and stay small enough to read."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*ROOT.glob("spotlab/**/*.py"), *ROOT.glob("tests/**/*.py")])
MOST_LINES = 350
SHIPPED = ("datasets/floorplans", "resources/help", "resources/report")

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


def lint(root: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.chdir(root)
    return lint_imports(config_filename="pyproject.toml", no_cache=True)


def test_every_layer_imports_only_what_stands_below_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = lint(ROOT, monkeypatch)
    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("model/stray.py", "import PySide6"),
        ("imaging/stray.py", "from spotlab.formats.rows import atomic"),
        ("editing/stray.py", "import lxml.etree"),
        ("utils/__init__.py", ""),
    ],
)
def test_the_contracts_notice_what_they_are_for(file: str, content: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "spotlab", tmp_path / "spotlab", ignore=lambda *_: ["__pycache__"])
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    stray = tmp_path / "spotlab" / file
    stray.parent.mkdir(exist_ok=True)
    stray.write_text(f'"""Stray."""\n{content}\n')
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 broken" in done.stdout


def test_everything_but_the_window_imports_where_qt_is_not() -> None:
    command = [sys.executable, "-c", IMPORT_ALL_WITHOUT_QT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {"spotlab.cli.root", "spotlab.errors"} <= set(done.stdout.split())


def test_no_file_grows_too_long_to_be_read() -> None:
    lines = {file: len(file.read_text("utf-8").splitlines()) for file in SOURCES}
    assert {file: count for file, count in lines.items() if count > MOST_LINES} == {}


def test_a_wheel_carries_the_sample_and_the_help() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    globs = settings["tool"]["setuptools"]["data-files"]
    carried = {file for wanted in globs.values() for glob in wanted for file in ROOT.glob(glob)}
    needed = {file for folder in SHIPPED for file in (ROOT / folder).rglob("*") if file.is_file()}
    assert needed <= carried
    assert all(any(file.is_relative_to(ROOT / folder) for file in carried) for folder in SHIPPED)
