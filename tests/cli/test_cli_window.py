"""The commands that open the window, where it cannot be opened, and the sample they open."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from spotlab import resources
from spotlab.cli import open as opening
from spotlab.cli import root
from spotlab.diagnosis import system_libraries
from spotlab.errors import NotSaved
from spotlab.formats.truth import page_xml


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        root.main(arguments)
    return int(ended.value.code or 0)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[Path], bool]]:
    """What the window was asked to open; it does not open."""
    asked: list[tuple[list[Path], bool]] = []

    def record(paths: list[Path], demo: bool = False, author: str = "") -> None:
        asked.append((list(paths), demo))

    for module in ("root", "open"):
        monkeypatch.setattr(f"spotlab.cli.{module}.open_window", record)
    return asked


def test_without_a_command_the_window_opens(opened: list[tuple[list[Path], bool]]) -> None:
    assert run() == 0
    assert opened == [([], False)]


def test_open_hands_the_paths_over(opened: list[tuple[list[Path], bool]], tmp_path: Path) -> None:
    assert run("open", str(tmp_path)) == 0
    assert opened == [([tmp_path], False)]


def test_open_names_a_path_that_is_not_there(
    opened: list[tuple[list[Path], bool]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("open", "plans/nowhere") == 2
    assert opened == []
    assert_one_line(capsys.readouterr().err, "plans/nowhere")


def test_the_demo_opens_the_users_own_copy(opened: list[tuple[list[Path], bool]]) -> None:
    assert run("demo") == 0
    [(paths, demo)] = opened
    assert demo
    assert paths == [resources.own_sample()]
    names = {file.name for file in resources.sample_collection().iterdir()}
    assert {file.name for file in paths[0].iterdir()} == names


def test_the_users_copy_leaves_one_page_to_be_finished() -> None:
    shipped, own = resources.sample_collection(), resources.own_sample()
    for file in sorted(shipped.glob("*.xml")):
        complete, copied = page_xml.read(file), page_xml.read(own / file.name)
        kept = tuple(
            region
            for region in complete.regions
            if file.name != "plan_001.xml" or region.label != "chair"
        )
        assert copied.regions == kept, file
        assert copied.page.checked == (file.name != "plan_001.xml")
    complete, copied = (page_xml.read(folder / "plan_001.xml") for folder in (shipped, own))
    assert len(complete.regions) - len(copied.regions) == 4


@pytest.mark.slow
def test_headless_names_the_pictures_and_a_report(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def render_pictures(out: Path) -> list[Path | None]:
        assert out.is_dir()
        assert os.environ["QT_QPA_PLATFORM"] == "offscreen"
        return [None, out / "annotate.png"]

    headless = SimpleNamespace(render_pictures=render_pictures)
    monkeypatch.setitem(sys.modules, "spotlab.gui.window.headless", headless)
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    out = tmp_path / "new" / "pictures"
    assert run("demo", "--headless", "--out", str(out)) == 0
    page = out / "report" / "report.html"
    said, errors = capsys.readouterr()
    assert said.startswith("drawing four pictures") and not errors
    lines = [line for line in said.splitlines()[1:] if not line.startswith("… ")]
    assert lines == [f"wrote {out / 'annotate.png'}", f"wrote {page}"]
    assert all(name in page.read_text() for name in ("a_ratios", "c_polygons", "e_alignment"))


def test_the_copy_is_made_once() -> None:
    mark = resources.own_sample() / "mine.xml"
    mark.write_text("drawn by me")
    assert (resources.own_sample() / "mine.xml").read_text() == "drawn by me"
    assert not (resources.sample_collection() / "mine.xml").exists()


def test_a_copy_that_cannot_be_made_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("in the way of the folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with pytest.raises(NotSaved, match="could not be copied"):
        resources.own_sample()


def test_missing_libraries_are_one_line_with_their_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system_libraries, "_loads", lambda name: "EGL" not in name)
    monkeypatch.setattr(system_libraries.sys, "platform", "linux")
    assert run("open") == 2
    assert_one_line(capsys.readouterr().err, "apt-get install", "libegl1")


def test_x11_needs_its_libraries_only_where_there_is_a_display(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(system_libraries, "_loads", lambda name: "xcb" not in name)
    monkeypatch.setattr(system_libraries.sys, "platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    assert "libxcb-cursor0" in system_libraries.missing_packages(display=True)
    assert system_libraries.missing_packages(display=False) == []
    monkeypatch.delenv("DISPLAY")
    assert system_libraries.missing_packages(display=True) == []


def test_a_missing_qt_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(opening, "find_spec", lambda name: None if name == "PySide6" else object())
    assert run("open") == 2
    assert_one_line(capsys.readouterr().err, "PySide6", "pip install")


def test_no_display_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(opening.sys, "platform", "linux")
    monkeypatch.setattr(opening, "missing_packages", lambda display: [])
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert run("open") == 2
    assert_one_line(capsys.readouterr().err, "no display", "--headless")


def test_a_user_is_told_what_root_has_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_libraries, "missing_packages", lambda display: ["libgl1", "libegl1"])
    monkeypatch.setattr(system_libraries.os, "geteuid", lambda: 1000)
    message = system_libraries.main()
    assert message is not None
    assert_one_line(message, "apt-get install", "libgl1 libegl1")


@pytest.mark.parametrize("works", [True, False])
def test_root_installs_what_is_missing(
    works: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    tool = tmp_path / "apt-get"
    tool.write_text(f'#!/bin/sh\necho "$@" >> {log}\necho no network\nexit {int(not works)}\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(system_libraries, "missing_packages", lambda display: ["libgl1"])
    monkeypatch.setattr(system_libraries.os, "geteuid", lambda: 0)
    message = system_libraries.main()
    if works:
        assert message is None
        assert log.read_text() == "update -q\ninstall -y --no-install-recommends libgl1 -q\n"
    else:
        assert message is not None and "no network" in message


def assert_one_line(text: str, *parts: str) -> None:
    assert len(text.strip().splitlines()) == 1, text
    for part in parts:
        assert part in text
