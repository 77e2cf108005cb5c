"""PySide reads the sources of what is imported, and nobody keeps them."""

from __future__ import annotations

import linecache
from pathlib import Path

import pytest
import shibokensupport.feature as pyside

import spotlab.gui.kit  # noqa: F401 - from then on nothing is kept

PLAIN, OF_QT = 0, 1


@pytest.mark.parametrize("kind", [PLAIN, OF_QT])
def test_an_imported_module_leaves_no_source_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: int
) -> None:
    name = ("plain_module_of_this_test", "qt_module_of_this_test")[kind]
    path = tmp_path / f"{name}.py"
    path.write_text(("answer = 42\n", "from PySide6 import QtCore\n")[kind])
    monkeypatch.syspath_prepend(tmp_path)
    __import__(name)  # as the statement does, which PySide follows
    assert str(path) not in linecache.cache
    # what PySide wanted to know: only modules that name it may have other names of Qt's functions
    assert pyside.pyside_feature_dict[name] == (-1, 0)[kind]
