"""A package of somebody else that is broken is named, and stops nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from spotlab.registry import attempt
from spotlab.representation import visible
from tests.gui.windows import write_pages
from tests.project import plugins

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BROKEN = {
    "lacking": "import a_module_that_is_not_there\n",
    "misspelt": "it = = 3\n",
    "leaving": "raise SystemExit(3)\n",
    "raising": "raise BaseException('no\\nway ' + 'x' * 100_000)\n",
    "empty": "",
    "untyped": "it = 3\n",
    "interrupting": "raise KeyboardInterrupt\n",
    "cancelled": "from spotlab.errors import Cancelled\nraise Cancelled\n",
    "escaping": "raise ValueError('\\x1b]0;owned\\x07\\u202e')\n",
    "speechless": "class Odd(Exception):\n    def __str__(self): raise Odd\nraise Odd\n",
}
ALL = """
import sys
import click
from spotlab.cli.root import _root, main
from spotlab.representation import visible
from spotlab.registry import problems
from spotlab.consensus.method import consensus_methods
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.lists import reading as lists
from spotlab.formats.runs import reading as runs
from spotlab.formats.votes import reading as votes
from spotlab.measures.measure import known_measures
from spotlab.ranking.fusion import fusions
from spotlab.lab.pipelines.entities.entity_finder import entity_finders
from spotlab.spotting.reading.text_reader import text_readers
from spotlab.spotting.symbols.methods import methods
from spotlab.lab.draw.collection import symbol_kinds

known = [known_formats(), lists.known_list_formats(), runs.known_run_formats()]
known += [votes.known_vote_formats(), fusions(), entity_finders(), text_readers(), methods()]
known += [consensus_methods(), known_measures()]
assert all(known) and symbol_kinds()
root = _root()
context = click.Context(root)
below = [root.get_command(context, name) for name in ("reproduce", "spot", "synthesise")]
for group in (root, *below):
    assert group.list_commands(context)
from spotlab.gui.window.app import application
app = application()
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
window = MainWindow(Workbench(Settings()))
window.show()
for name in window.workspaces:
    window.enter(name)
    app.processEvents()
assert not window.banner.isHidden() and window.banner.kind == "remark"
shown, listed = window.banner.text.text(), window.banner.text.toolTip()
assert visible(problems()[0]) in shown, shown
assert visible(problems()[-1])[:200] in listed
print(*problems(), sep="\\n")
"""


def run(site: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command in a process that has the site's packages."""
    paths = os.pathsep.join([str(site), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": paths, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, *command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def broken_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package of each kind of fault, in every group."""
    site = tmp_path_factory.mktemp("site")
    for name, code in BROKEN.items():
        plugins.install(site, name, code, plugins.GROUPS)
    return site


def test_the_help_is_shown_beside_broken_packages(broken_site: Path) -> None:
    done = run(broken_site, "-m", "spotlab", "--help")
    assert done.returncode == 0
    assert "evaluate" in done.stdout
    lines = done.stderr.splitlines()
    assert len(lines) == len(BROKEN), done.stderr
    for name, line in zip(sorted(BROKEN), sorted(lines), strict=True):
        start = f"spotlab: the package {name} 1.0: the entry '{name}' of spotlab.cli is left out: "
        assert line.startswith(start)
        assert len(line) < 600
    said = "\n".join(lines)
    assert "ModuleNotFoundError: No module named 'a_module_that_is_not_there'" in said
    assert "untyped:it is of type int, expected Command" in said
    assert "BaseException: no way xxx" in said
    assert r"ValueError: \u001b]0;owned\u0007\u202e" in said and "\x1b" not in said


def test_all_groups_and_the_window_live_with_broken_packages(broken_site: Path) -> None:
    done = run(broken_site, "-c", ALL)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert {(name, group) for name in BROKEN for group in plugins.GROUPS} == {
        (name, group)
        for line in lines
        for name in BROKEN
        for group in plugins.GROUPS
        if line.startswith(f"the package {name} 1.0: the entry '{name}' of {group} is left out: ")
    }
    said = [line for line in done.stderr.splitlines() if line.startswith("spotlab: ")]
    assert said == [f"spotlab: {visible(line)}" for line in lines]  # each once
    assert "Traceback" not in done.stderr


def test_a_name_that_is_taken_is_told(tmp_path: Path) -> None:
    plugins.install(
        tmp_path, "second", "import click\nit = click.Command('validate')\n", ("spotlab.cli",)
    )
    done = run(tmp_path, "-m", "spotlab", "spot", "--help")
    assert done.returncode == 0
    [line] = done.stderr.splitlines()
    assert line.endswith("of spotlab.cli is left out: the name 'validate' is taken")


def test_a_method_does_not_hide_that_of_a_descriptor(tmp_path: Path) -> None:
    code = "from spotlab.spotting.symbols.methods.alignment import METHOD\n"
    code += "it = object.__new__(type(METHOD))\nit.name = 'a'\n"
    plugins.install(tmp_path, "third", code, ("spotlab.spotting.symbols.methods",))
    ask = "from spotlab.spotting.symbols.methods import methods; print(type(methods()['a']))"
    done = run(tmp_path, "-c", ask)
    assert "relational.Relational" in done.stdout
    assert done.stderr.endswith("symbols.methods is left out: the name 'a' is taken\n")


def test_a_list_of_entries_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    plugins.install(tmp_path, "garbled", "it = 3\n", ("spotlab.cli",))
    entries = tmp_path / "garbled-1.0.dist-info" / "entry_points.txt"
    entries.write_text("[spotlab.cli]\nno equals sign\n")
    done = run(tmp_path, "-m", "spotlab", "validate", "--help")
    assert done.returncode == 0
    [line] = done.stderr.splitlines()
    assert line.startswith("spotlab: the package garbled 1.0: entry_points.txt is left out: ")


WORKSPACE = """
from PySide6.QtCore import Qt
from spotlab.gui.workspace import Panel, Workspace
def make(window):
    {body}
left = Qt.DockWidgetArea.LeftDockWidgetArea
panels = (Panel("{name}", "Notes", left, make),) if {body!r} != "pass" else ()
it = Workspace("{name}", "Notes", "no-icon", "Another's", 7, panels=panels, pageless=True)
"""
IN_NOTES = """
from spotlab.gui.window.app import application
app = application()
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.registry import problems
window = MainWindow(Workbench(Settings()))
window.show()
assert not window.actions_by_id.trigger("workspace.failing")
assert window.actions_by_id.trigger("workspace.notes")
app.processEvents()
assert window.workbench.workspace == "notes" and window.workbench.tool == ""
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
QTest.mouseClick(window.canvas, Qt.MouseButton.LeftButton)
QTest.keyClick(window.canvas, Qt.Key.Key_Escape)
assert window.actions_by_id.trigger("workspace.annotate")
app.processEvents()
assert window.workbench.tool == "sketch"
window.show_help("about")
text = window._help.browser.toPlainText()
assert "failing" in text and "ZeroDivisionError" in text, text
print(*problems(), sep="\\n")
"""


def test_a_workspace_needs_no_tool_and_may_fail(tmp_path: Path) -> None:
    group = ("spotlab.gui.workspaces",)
    plugins.install(tmp_path, "notes", WORKSPACE.format(name="notes", body="pass"), group)
    plugins.install(tmp_path, "failing", WORKSPACE.format(name="failing", body="1 / 0"), group)
    menu = "from spotlab.gui.window.menu_bar.menus import HELP as MENU\n"
    menu += "from dataclasses import replace\n"
    menu += "it = replace(MENU, name='again')\n"
    plugins.install(tmp_path, "again", menu, ("spotlab.gui.actions",))
    done = run(tmp_path, "-c", IN_NOTES)
    assert done.returncode == 0, done.stderr
    said = sorted(done.stdout.splitlines())
    assert said == [
        "the package again 1.0: 'again' is left out: ValueError: two actions are called help.here",
        "the package failing 1.0: 'failing' is left out: ZeroDivisionError: division by zero",
    ]


FORMAT = """
from pathlib import Path
from spotlab.formats.truth.format import Format
it = Format("odd", "Odd", (".odd",), lambda path, head: 1 / 0, lambda path, progress: [])
"""


def test_a_format_that_fails_to_recognise_a_file_is_passed_over(tmp_path: Path) -> None:
    plugins.install(tmp_path / "site", "odd", FORMAT, ("spotlab.formats",))
    write_pages(tmp_path / "pages", 1)
    (tmp_path / "pages" / "page_1.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240">'
        '<polygon class="Wall" points="1,1 20,1 20,9"/></svg>'
    )
    given = ("convert", str(tmp_path / "pages" / "page_1.svg"), str(tmp_path / "a.json"))
    done = run(tmp_path / "site", "-m", "spotlab", *given, "--to", "coco")
    assert "wrote 1 region on 1 page" in done.stdout
    [line] = done.stderr.splitlines()
    assert (
        line
        == "spotlab: the package odd 1.0: 'odd' is left out: ZeroDivisionError: division by zero"
    )


def test_ctrl_c_while_other_peoples_code_runs_ends_what_is_under_way() -> None:
    def press() -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        attempt("the package slow 1.0", press)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
