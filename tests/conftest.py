"""What all tests share."""

from __future__ import annotations

import faulthandler
import gc
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from spotlab.editing import journal
from tests.gui.timers import know_timers

know_timers()  # before anything of the window is imported
pytest_plugins = ["tests.gui.window_fixtures", "tests.slow"]
gc.disable()  # while tests are collected, all that is made stays

# How long an example takes says more about the machine than about the code. The same examples are
# tried each time, so that nobody's change fails for another's; `--hypothesis-profile search` looks
# for others.
settings.register_profile("same", deadline=None, derandomize=True, database=None)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("same")

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the spotlab command has it

# Compiling takes many seconds in each process: what `make test` has compiled is there for all.
MACHINE_CODE = Path(__file__).resolve().parents[1] / "build" / "machine-code"
os.environ.setdefault("NUMBA_CACHE_DIR", str(MACHINE_CODE))

# Words are compared by strokes, as without an installed network; tests that need one name it.
os.environ.setdefault("SPOTLAB_MODELS", str(Path(__file__).parent / "no-models"))

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


CRASHES = Path(__file__).resolve().parents[1] / "build" / "crashes"


@pytest.hookimpl(trylast=True)  # instead of what pytest itself has enabled
def pytest_configure() -> None:
    """Where a process crashes, its stack is kept: what it prints is cut by whoever shows it."""
    CRASHES.mkdir(parents=True, exist_ok=True)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    faulthandler.enable(open(CRASHES / f"{worker}.txt", "w"))  # noqa: SIM115 - open to the end


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(report: pytest.TestReport) -> None:
    """Show the innermost frames of every crash with the test in which it happened."""
    for file in CRASHES.glob("*.txt"):
        if file.stat().st_size:
            lines = file.read_text(errors="replace").splitlines()
            report.longrepr = "\n".join([str(report.longrepr), f"{file.stem}:", *lines[:60]])


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data; tests that need it are skipped where it is not there."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real data beside the checkout (../shared/data) is not here")
    return SHARED_DATA


def _settings_in(home: Path, patch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        patch.setenv(name, str(home / name.lower()))


@pytest.fixture(autouse=True, scope="module")
def _settings_of_a_module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a module's tests share, such as a window, does not touch the user's settings either."""
    with pytest.MonkeyPatch.context() as patch:
        _settings_in(tmp_path_factory.mktemp("settings"), patch)
        yield


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that are not there yet; among thousands pytest would look long for a free name."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_settings(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the settings of whoever runs it."""
    home = next(_homes)
    home.mkdir()
    _settings_in(home, monkeypatch)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step waits for its journal, however busy the machine is.

    The window shows a step without it where a disk takes long.
    """
    for name in ("SHOWN_AFTER", "PATIENCE"):
        monkeypatch.setattr(journal, name, 60.0)


@pytest.fixture(autouse=True, scope="module")
def _collected() -> Iterator[None]:
    """The window collects garbage only while events are handled, which most tests do not.

    What is left after a module stays for good, mostly: later collections need not look at it.
    """
    yield
    gc.collect()
    gc.freeze()
