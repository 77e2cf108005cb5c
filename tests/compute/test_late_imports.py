"""Libraries that are imported when they are used first, by several threads at once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from types import ModuleType

import pytest

from spotlab.extras import optional_module
from spotlab.libraries import LateModule, import_alone, late_imports

PACKAGE = "needed_in_a_ring"
MODULES = {
    "__init__": "import needed_begun\nneeded_begun.wait()\nfrom ._tools import tool",
    "_tools": "import needed_in_a_ring\ntool = 1",  # as scipy._lib._testutils
    "one": "from needed_in_a_ring._tools import tool",
    "two": "from needed_in_a_ring._tools import tool",
}


class Begun:
    """Stands for a module: whoever imports the package has begun, and takes long."""

    def __init__(self) -> None:
        self.event, self.go_on = Event(), Event()
        self.seconds = 0.3

    def wait(self) -> None:
        self.event.set()
        self.go_on.wait(self.seconds)


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Begun:
    """A package whose modules need each other, on the path."""
    (tmp_path / PACKAGE).mkdir()
    for name, text in MODULES.items():
        (tmp_path / PACKAGE / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    begun = Begun()
    monkeypatch.setitem(sys.modules, "needed_begun", begun)
    for name in (PACKAGE, *(f"{PACKAGE}.{module}" for module in MODULES)):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return begun


@pytest.mark.parametrize(
    "use",
    [
        lambda name: LateModule(name).tool,
        lambda name: LateModule(name, optional_module).tool,
        import_alone,
    ],
)
def test_two_threads_can_import_from_a_package_at_once(
    begun: Begun, use: Callable[[str], object]
) -> None:
    errors = []

    def run(name: str) -> None:
        try:
            use(f"{PACKAGE}.{name}")
        except Exception as error:
            errors.append(error)

    first, second = Thread(target=run, args=("one",)), Thread(target=run, args=("two",))
    first.start()
    assert begun.event.wait(10)
    second.start()
    first.join()
    second.join()
    assert not errors
    assert sys.modules[f"{PACKAGE}.one"] and sys.modules[f"{PACKAGE}.two"]


def test_another_package_need_not_wait(begun: Begun) -> None:
    begun.seconds = 30
    first = Thread(target=import_alone, args=(f"{PACKAGE}.one",))
    first.start()
    assert begun.event.wait(10)
    assert LateModule("json.decoder").JSONDecoder
    assert f"{PACKAGE}.one" not in sys.modules
    begun.go_on.set()
    first.join()


def test_what_is_missing_is_said() -> None:
    with pytest.raises(ModuleNotFoundError, match="needed_and_not_there"):
        import_alone("needed_and_not_there")


def test_only_the_imports_of_the_block_itself_are_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needed_late").mkdir()
    (tmp_path / "needed_late" / "tools.py").write_text("tool = 1")
    monkeypatch.syspath_prepend(tmp_path)
    with late_imports(__name__):
        from needed_late import nowhere  # noqa: PLC0415
        from needed_late import tools as late_tools  # noqa: PLC0415

        others = import_module("json.tool")
    assert isinstance(others, ModuleType) and not isinstance(others, LateModule)
    assert "needed_late.tools" not in sys.modules
    assert late_tools.tool == 1 and "needed_late.tools" in sys.modules
    with pytest.raises(ModuleNotFoundError, match="needed_late"):
        _ = nowhere.tool
