"""What is packed around the program: desktop entry, man page, completions, notices, launcher."""

from __future__ import annotations

import ast
import configparser
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import pytest
from PySide6.QtGui import QIcon, QImage
from PySide6.QtWidgets import QApplication

from spotlab.cli.root import _root
from spotlab.resources import icon_file
from tests.soak.recipes import commands

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "resources" / "packaging"
LINUX = PACKAGING / "linux"


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(PACKAGING))
    yield
    for name in ("build", "deb", "man_page", "completions", "notices", "system_packages"):
        sys.modules.pop(name, None)


def entry() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(LINUX / "spotlab.desktop", "utf-8")
    return parser["Desktop Entry"]


def test_the_desktop_entry_opens_paths_by_a_command_that_there_is() -> None:
    program, command, paths = entry()["Exec"].split()
    assert (program, command, paths) == ("spotlab", "open", "%F")
    assert command in commands()
    assert (ROOT / "resources" / "icon" / f"{entry()['Icon']}.svg").is_file()


def test_types_of_the_desktop_entry_are_known_or_defined() -> None:
    tag = "{http://www.freedesktop.org/standards/shared-mime-info}"
    types = xml.parse(LINUX / "spotlab.xml").getroot().findall(f"{tag}mime-type")
    defined = {each.get("type") for each in types}
    named = set(filter(None, entry()["MimeType"].split(";")))
    assert defined <= named
    assert {"inode/directory", "image/png", "application/pdf"} <= named
    [view] = [each for each in types if each.get("type") == "application/x-spotlab-view"]
    assert view.find(f"{tag}glob").get("pattern") == "*.spotlab"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("", "localhost.spotlab.spotlab"),
        ("https://github.com/Some-Body/spotlab", "io.github.some_body.spotlab"),
        ("https://git.example.org/a/spotlab", "org.example.git.a.spotlab"),
    ],
)
def test_the_metainfo_is_valid_and_names_the_desktop_entry_and_its_types(
    address: str, name: str, tmp_path: Path
) -> None:
    text = import_module("deb").metainfo("1.0", "2026-01-31", address)
    about = xml.fromstring(text)
    assert about.findtext("id") == name
    assert len(about.findall("screenshots/screenshot")) == (4 if address else 0)
    if shutil.which("appstreamcli"):
        file = tmp_path / f"{name}.metainfo.xml"
        file.write_text(text, "utf-8")
        command = ["appstreamcli", "validate", "--no-net", "--pedantic", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
    assert about.findtext("launchable") == "spotlab.desktop"
    assert {each.text for each in about.iter("mediatype")} <= set(entry()["MimeType"].split(";"))


def test_the_man_page_describes_each_command_and_option() -> None:
    man_page = import_module("man_page")
    page = man_page.man_page("2026-01-31").replace("\\-", "-").replace("\\&", "")
    for name, command in man_page.leaves(_root()):
        assert f".SS spotlab {name.removeprefix('spotlab ')}" in page
        for parameter in (each for each in command.params if not getattr(each, "hidden", False)):
            assert all(option in page for option in parameter.opts if option.startswith("-"))
    assert not re.search(r"^\.(?!TH|SH|SS|B |TP|PP|I |BR)", page, re.MULTILINE)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_ask_the_program_that_is_installed(shell: str) -> None:
    completions = import_module("completions")
    text = completions.completion(shell)
    assert completions.VARIABLE in text and f"/{shell}" in completions.PLACES[shell]


def test_the_program_completes_commands() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "spotlab"],
        env={**os.environ, "_SPOTLAB_COMPLETE": "bash_complete", "COMP_WORDS": "spotlab eval",
             "COMP_CWORD": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["plain,evaluate"]


def test_the_launcher_runs_modules_of_spotlab_and_the_program() -> None:
    launcher = [sys.executable, str(PACKAGING / "launcher.py")]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "LD_LIBRARY_PATH": "/of/the/build"}
    script = f"import sys; sys.argv = ['x', *{['-m', 'spotlab.gui.window.qt_probe']!r}]; "
    script += "import launcher, os; launcher.main(); print(os.environ.get('LD_LIBRARY_PATH'))"
    probed = subprocess.run(
        [sys.executable, "-c", script],
        env={**surroundings, "PYTHONPATH": f"{ROOT}{os.pathsep}{PACKAGING}"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert '"qt"' in probed.stdout and probed.stdout.splitlines()[-1] == "None"
    shown = subprocess.run(
        [*launcher, "--version"], env=surroundings, capture_output=True, text=True, check=True
    )
    assert shown.stdout.startswith("spotlab ")


def test_notices_hold_the_licences_of_what_is_packed() -> None:
    notices = import_module("notices")
    found = {
        package.metadata["Name"].lower().replace("_", "-"): package
        for package in notices.packages()
    }
    assert {"numpy", "pyside6-essentials", "shiboken6", "shapely", "click"} <= found.keys()
    assert not {"pytest", "mypy", "spotlab"} & found.keys()
    assert "LGPL" in notices.licence_of(found["pyside6-essentials"])
    assert "Redistribution" in "".join(notices.texts_of(found["numpy"]))
    texts = notices.notices()
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in texts and "FFmpeg" in texts
    assert "GNU GENERAL PUBLIC LICENSE" in texts


def test_a_library_of_no_known_package_is_named() -> None:
    system_packages = import_module("system_packages")
    assert system_packages.packages_of(["libX11.so.6", "libc.so.6"]) == ["libc6", "libx11-6"]
    with pytest.raises(LookupError, match=r"libnowhere\.so\.1"):
        system_packages.packages_of(["libX11.so.6", "libnowhere.so.1"])


def test_late_libraries_of_the_window_are_packages_that_the_list_names() -> None:
    system_packages = import_module("system_packages")
    known = {name for names in system_packages.PACKAGES.values() for name in names.split(" | ")}
    assert set(system_packages.LATE) <= known


def _modules_needed_everywhere(node: ast.AST) -> Iterator[str]:
    """Imports that are neither kept from Windows nor may fail."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "sys.platform != 'win32'":
        children: Iterable[ast.AST] = node.orelse
    elif isinstance(node, ast.With) and any(
        ast.unparse(item.context_expr).startswith("suppress(ImportError") for item in node.items
    ):
        children = ()
    else:
        children = ast.iter_child_nodes(node)
    if isinstance(node, ast.Import):
        yield from (name.name for name in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
    for child in children:
        yield from _modules_needed_everywhere(child)


@pytest.mark.slow
def test_no_module_imports_what_only_unix_has() -> None:
    only = {"fcntl", "grp", "pwd", "resource", "syslog", "termios", "tty"}
    assert set(_modules_needed_everywhere(ast.parse("def f():\n    import pwd"))) & only
    for file in ROOT.glob("spotlab/**/*.py"):
        needed = set(_modules_needed_everywhere(ast.parse(file.read_text("utf-8"))))
        assert not needed & only, file


def test_the_window_has_the_icon_of_the_desktop_entry(qapp: QApplication) -> None:
    shown = QIcon(str(icon_file())).pixmap(256, 256).toImage()
    drawn = QImage(str(ROOT / "resources" / "icon" / "spotlab.svg")).scaled(256, 256)
    for x, y in ((24, 128), (128, 60), (128, 200)):  # frame, paper, line
        assert shown.pixelColor(x, y) == drawn.pixelColor(x, y)
