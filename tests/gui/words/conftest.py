"""What the tests of the Words workspace share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of what is found on pages: on those that tests copy, words are found only once."""
    return tmp_path_factory.mktemp("cache")
