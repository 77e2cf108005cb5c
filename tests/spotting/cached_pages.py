"""What tests of indices share: noting which pages are opened, and damaging files."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from spotlab.imaging.reading.pixels import read_page

DAMAGES = ("cut", "changed", "empty", "other", "garbage")


def note_opened(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that the module opens from now on, one after the other."""
    names: list[str] = []

    def noting(path: Path, *more: Any) -> Any:
        names.append(path.stem)
        return read_page(path, *more)

    monkeypatch.setattr(module, "read_page", noting)
    return names


def damaged(content: bytes, damage: str) -> bytes:
    """The file's content after one of `DAMAGES`."""
    middle = len(content) // 2
    changed = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    return {
        "cut": content[:-100],
        "changed": changed,
        "empty": b"",
        "other": b"x" + content[1:],
        "garbage": os.urandom(500),
    }[damage]
