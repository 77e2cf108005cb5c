"""What all tests share."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says more about the machine than about the code; in continuous
# integration the same examples are tried each time, so that nobody's change fails for another's.
settings.register_profile("here", deadline=None)
settings.register_profile("integration", deadline=None, derandomize=True)
settings.load_profile("integration" if os.environ.get("CI") else "here")

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the spotlab command has it

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data; tests that need it are skipped where it is not there."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real data beside the checkout (../shared/data) is not here")
    return SHARED_DATA


@pytest.fixture(autouse=True)
def _own_settings(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No test reads or writes the settings of whoever runs it."""
    home = tmp_path_factory.mktemp("settings")
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))


@pytest.fixture(autouse=True, scope="module")
def _collected() -> Iterator[None]:
    """The window collects garbage only while events are handled, which most tests do not."""
    yield
    gc.collect()
