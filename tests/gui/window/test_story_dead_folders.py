"""Folders that were open before and cannot be looked at: the window starts all the same."""

from __future__ import annotations

import errno
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolButton

from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.file_calls import FileCalls, recorded

pytestmark = pytest.mark.usefixtures("qapp")

ERRORS = (
    errno.EACCES, errno.EIO, errno.ESTALE, errno.ENOTCONN, errno.ELOOP, errno.ENAMETOOLONG,
    errno.ENODEV, errno.EHOSTDOWN, errno.ETIMEDOUT, errno.EPERM,
)  # fmt: skip


def odd_folders(folder: Path) -> list[str]:
    """Paths that no file system could say anything of, in all the ways that there are."""
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "file").write_bytes(b"")
    return [
        str(folder / "circle"), str(folder / "file" / "inside"), str(folder / ("n" * 300)),
        "/".join([str(folder)] + ["deep"] * 2000), str(folder / "zero\0byte"),
        str(folder / "lone\ud800half"), "", ".", "~nobody/plans", "\n", "C:\\plans", "//host/share",
        *(str(folder / f"error {number}" / name) for number in ERRORS for name in ("a", "b", "c")),
    ]  # fmt: skip


def refuse(name: str, path: str) -> None:
    _, marked, rest = path.partition("error ")
    if marked:
        raise OSError(int(rest.split("/")[0]), "refused", path)


def offered(window: MainWindow) -> list[str]:
    return [button.toolTip() for button in window.welcome.findChildren(QToolButton)]


@pytest.fixture
def hanging() -> Iterator[threading.Event]:
    """Set when calls go on that hang until then."""
    goes_on = threading.Event()
    yield goes_on
    goes_on.set()


@pytest.mark.parametrize("first", range(0, 42, 9))
def test_the_window_starts_and_offers_what_is_there(tmp_path: Path, first: int) -> None:
    there = windows.write_pages(tmp_path / "plans")
    every = odd_folders(tmp_path)
    assert len(every) >= 40
    recent = [*every[first : first + 9], str(there), 7, None, {"a": 1}]
    (tmp_path / "settings.json").write_text(json.dumps({"recent": recent, "started": True}))
    with recorded(FileCalls(tmp_path, answer=refuse)):
        window = windows.open_window(tmp_path)
        assert background.wait_until(
            lambda: not any("error" in path or "circle" in path for path in offered(window))
        )
        assert str(there) in offered(window)
        window.open_paths([there])
        windows.settle()
        windows.add(window)
        assert window.actions_by_id["file.open_recent"].isEnabled()
        window.find_command("recent ")
        windows.close(window)


def test_a_folder_that_hangs_keeps_nothing_waiting(
    tmp_path: Path, hanging: threading.Event
) -> None:
    there, dead = windows.write_pages(tmp_path / "plans"), tmp_path / "dead"
    (tmp_path / "settings.json").write_text(
        json.dumps({"recent": [str(dead), str(there)], "started": True})
    )

    def answer(name: str, path: str) -> None:
        if path == str(dead):
            assert threading.current_thread() is not threading.main_thread()
            hanging.wait(60)

    with recorded(FileCalls(tmp_path, answer=answer)) as calls:
        window = windows.open_window(tmp_path)
        assert offered(window) == [str(dead), str(there)]
        for _ in range(5):
            window.recent.look()
        window.open_paths([there])
        assert background.wait_until(lambda: window.workbench.document is not None)
        windows.add(window)
        assert sum(call.path == str(dead) for call in calls.calls) == 1  # nobody asks again
        hanging.set()
        assert background.wait_until(lambda: window.recent.paths == [there])
        windows.close(window)


def test_drawing_asks_for_no_folder_that_was_open_before(tmp_path: Path) -> None:
    folders = [windows.write_pages(tmp_path / name) for name in ("first", "second")]
    window = windows.open_window(tmp_path)
    for folder in folders:
        window.open_paths([folder])
        windows.settle()
    with recorded(FileCalls(folders[0])) as calls:
        windows.add(window)
        window.actions_by_id.update()
        assert window.recent_paths
    assert calls.calls == []
    os.rename(folders[0], tmp_path / "gone")
    window.recent.look()
    assert background.wait_until(lambda: window.recent.paths == [folders[1]])
    windows.close(window)
