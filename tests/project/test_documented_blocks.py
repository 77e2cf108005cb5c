"""Every block of the README and the help runs, in the order of its page, outside the repository.

The wheel is installed in the way that the page names. Where no package index is reached, the blocks
run in this environment.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from spotlab.resources import help_folder
from tests.project.test_wheel import build

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "resources" / "packaging"))

import documented_blocks  # noqa: E402 - resources/packaging/documented_blocks.py
import try_wheel  # noqa: E402 - resources/packaging/try_wheel.py

PAGES = documented_blocks.pages()
Install = Callable[[str], tuple[Path, dict[str, str]] | None]


@pytest.fixture(scope="module")
def install(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Install]:
    """Installs the wheel in a way: its Python and variables; None where there is no index."""
    wheel = build("wheel", tmp_path_factory.mktemp("wheel"))
    with tempfile.TemporaryDirectory() as folder:  # on the disk: environments are large

        @cache
        def installed(way: str) -> tuple[Path, dict[str, str]] | None:
            try:
                return try_wheel.installed(way, wheel, Path(folder, way))[:2]
            except SystemExit as failed:
                if re.search("No matching distribution|Connection|Retry|resolve", str(failed)):
                    return None
                raise

        yield installed


@pytest.mark.slow
@pytest.mark.parametrize("way", try_wheel.WAYS)
def test_a_newcomer_does_the_first_jobs(
    way: str, install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (made := install(way)):
        pytest.skip("no package index is reached")
    python, variables = made
    site = python.parents[2] / "x" if way == "target" else next(python.parents[1].glob("lib/*/*"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.delenv("SPOTLAB_MODELS", raising=False)
    try_wheel.first_jobs([python, "-m", "spotlab"], site, way != "base", variables)
    assert try_wheel.megabytes(site) <= try_wheel.MOST.get(way, 2000)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_run_in_order(page: str, install: Install, tmp_path: Path) -> None:
    needed = documented_blocks.environment(PAGES[page].read_text("utf-8"))
    [way, *_] = [way for way, package in try_wheel.WAYS.items() if package == needed]
    made = install(way)
    python, variables = made or (Path(sys.executable), {"PYTHONPATH": str(ROOT)})
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(python), str(try_wheel.BLOCKS), str(PAGES[page])],
        cwd=tmp_path,
        env=known | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    if made is None:
        pytest.skip("no package index is reached: passed in this environment only")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_what_is_installed_before_it_uses_it(page: str) -> None:
    text = PAGES[page].read_text("utf-8")
    assert documented_blocks.environment(text) in try_wheel.WAYS.values()
    used = re.search(r"^```(sh|python)\n(?!pip |make )", text, re.MULTILINE)
    assert used and text.index("pip install") < used.start()


def test_few_blocks_are_left_to_the_reader() -> None:
    texts = [file.read_text("utf-8") for file in help_folder().glob("*.md")]
    blocks = sum(len(documented_blocks.BLOCK.findall(text)) for text in texts)
    run = sum(len(documented_blocks.blocks(text)) for text in texts)
    assert blocks - run <= 8
