"""The documentation as a static site: help pages, notebooks and the API, built by `make docs`.

Sphinx reads this file. It first writes the sources of the site to ``build/docs-sources``: the help
pages with what only the program knows put in, and a page for each package of the API.
"""

from __future__ import annotations

import os
import pkgutil
import re
import shutil
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from sphinx.application import Sphinx

import spotlab
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.window.app import application
from spotlab.gui.window.dialogs.help_viewer import HelpViewer
from spotlab.gui.window.main_window import MainWindow
from spotlab.resources import help_folder, help_pages

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "build" / "docs-sources"
NOTEBOOKS = ROOT / "resources" / "notebooks"
API = (
    "api", "geometry", "model", "imaging", "measures", "ranking", "consensus", "uncertain_truth",
    "spotting",
)  # fmt: skip
PICTURE = re.compile(r"!\[([^\]]*)\]\((pictures/[\w-]+)-light\.png\)")
IN_BOTH = "\n".join(
    f'<img class="only-{theme}" alt="\\1" src="\\2-{theme}@2x.png">' for theme in ("light", "dark")
)
TREE = "\n\n```{{toctree}}\n:hidden:\n:caption: {}\n\n{}\n```\n"

project = "spotlab"
author = copyright = "The spotlab developers"
release = version = spotlab.__version__
extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_nb"]
html_theme = "furo"
html_title = f"spotlab {release}"
html_extra_path = [str(SOURCES / "extra")]
html_copy_source = html_show_sphinx = False
myst_heading_anchors = 3
nb_execution_mode = "off"  # the notebooks hold their results; tests run them
numpydoc_show_class_members = False
autodoc_typehints = "none"  # the docstrings say shapes and units
autodoc_default_options = {"members": True, "member-order": "bysource"}


def write_sources() -> None:
    """Write all pages anew."""
    shutil.rmtree(SOURCES, ignore_errors=True)
    shutil.copytree(help_folder() / "pictures", SOURCES / "extra" / "pictures")
    for name, text in help_texts().items():
        (SOURCES / f"{name}.md").write_text(PICTURE.sub(IN_BOTH, text), "utf-8")
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (SOURCES / "contributing.md").write_text(contributing.replace("](resources/help/", "]("))
    shutil.copytree(ROOT / "docs", SOURCES / "docs")
    (SOURCES / "api").mkdir()
    for package in API:
        (SOURCES / "api" / f"{package}.rst").write_text(api_page(f"spotlab.{package}"), "utf-8")
    if NOTEBOOKS.is_dir():
        shutil.copytree(NOTEBOOKS, SOURCES / "notebooks")
    with (SOURCES / "index.md").open("a", encoding="utf-8") as index:
        pages = [name for name in help_pages() if name != "index"]
        notebooks = sorted(f"notebooks/{file.stem}" for file in NOTEBOOKS.glob("*.ipynb"))
        decisions = sorted(f"docs/adr/{file.stem}" for file in ROOT.glob("docs/adr/*.md"))
        index.write(TREE.format("Help", "\n".join([*pages, "contributing"])))
        index.write(TREE.format("Decisions", "\n".join(decisions)))
        if notebooks:
            index.write(TREE.format("Notebooks", "\n".join(notebooks)))
        index.write(TREE.format("API", "\n".join(f"api/{package}" for package in API)))


def help_texts() -> dict[str, str]:
    """The Markdown of each help page as the window shows it."""
    application()
    with tempfile.TemporaryDirectory() as folder:
        window = MainWindow(Workbench(Settings(Path(folder) / "settings.json")))
        viewer = HelpViewer(window.actions_by_id, window)
        return {name: viewer.page(name) for name in help_pages()}


def api_page(package: str) -> str:
    """All modules of a package, each with what it defines."""
    parts = [heading(package, "="), f".. automodule:: {package}\n   :no-members:\n"]
    found = pkgutil.walk_packages(import_module(package).__path__, f"{package}.")
    for name in sorted(module.name for module in found):
        if not any(part.startswith("_") for part in name.split(".")):
            parts += [heading(name, "-"), f".. automodule:: {name}\n"]
    return "\n".join(parts)


def heading(text: str, line: str) -> str:
    """A heading in reStructuredText."""
    return f"{text}\n{line * len(text)}\n"


def escape(*arguments: Any) -> None:
    """Keep bars, as in \\|ω\\|, from being taken for markup."""
    lines: list[str] = arguments[-1]
    for place, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")) and "`" not in line:
            lines[place] = re.sub(r"(?<!\\)\|", r"\\|", line)


def skip(*arguments: Any) -> bool | None:
    """Leave out what modules import from others, also what says of itself that it is of none."""
    member = arguments[3]
    is_of_others = not str(getattr(member, "__module__", "")).startswith("spotlab")
    return True if callable(member) and is_of_others else None


def setup(app: Sphinx) -> None:
    """Register what changes docstrings, ahead of numpydoc."""
    app.connect("autodoc-process-docstring", escape, priority=400)
    app.connect("autodoc-skip-member", skip)


write_sources()
