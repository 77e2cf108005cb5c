"""Every block of the README and the help runs, in the order of its page, in a scratch folder.

A block whose first line is a comment that begins with "your own files" needs files that only the
reader has, or takes hours: of it only the options are checked, in `test_help_examples`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import pytest
from click.testing import CliRunner

from spotlab.cli.root import _root
from spotlab.resources import help_folder, sample_collection
from tests.api.samples import samples

__all__ = ["samples"]

ROOT = Path(__file__).resolve().parents[2]
OWN = "# your own files"
NOT_HERE = ("pip ", "make ", "sudo ")  # what installs
WINDOW = ("spotlab open", "spotlab demo")
FENCE = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = {"README": ROOT / "README.md"} | {
    file.stem: file for file in sorted(help_folder().glob("*.md"))
}
FROM_NOTHING = ("README", "tutorial")  # all that they need they make
ELSEWHERE = {  # tests/api/test_help_page.py and tests/project/test_help_examples.py run these
    "python", "formats",
}  # fmt: skip
FILES = {  # that other pages speak of, by what the samples call them
    "tune.csv": "lists.csv", "test.csv": "lists.csv", "tune.npz": "scores.npz",
    "test.npz": "scores.npz", "old.csv": "theirs.csv", "found.csv": "mine.csv",
    "anna": "plans", "ben": "plans", "cleo": "plans",
}  # fmt: skip
IDEAL = "subject,query,rank,item,relevance\nA,people,1,one,1\nA,people,2,two,0.5\n"


def blocks(page: str) -> list[tuple[str, str]]:
    """Language and content of each block that runs."""
    found = FENCE.findall(PAGES[page].read_text("utf-8"))
    return [(language, block) for language, block in found if not block.startswith(OWN)]


def lines(block: str) -> Iterator[str]:
    """The commands of a block of the shell."""
    for line in block.replace("\\\n", " ").splitlines():
        command = re.sub(r"\s+#.*", "", line).strip()
        if command and not command.startswith(("#", *NOT_HERE, *WINDOW)):
            yield command


@pytest.fixture
def reader(samples: Path) -> Path:
    """A folder with the files that the pages speak of."""
    for name, source in FILES.items():
        copy = shutil.copytree if (samples / source).is_dir() else shutil.copy
        copy(samples / source, samples / name)
    (samples / "ideal.csv").write_text(IDEAL)
    return samples


RUN = [name for name in PAGES if name not in ELSEWHERE and blocks(name)]


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN)
def test_the_blocks_of_a_page_run_in_order(
    page: str, reader: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = reader / "empty" if page in FROM_NOTHING else reader
    folder.mkdir(exist_ok=True)
    if page == "howto-compare-systems":
        items = (sample_collection("votes") / "contest.csv").read_text().splitlines()
        names = [line.split(",")[0] for line in items if line[:1] not in "#i"][:3]
        (folder / "answers.csv").write_text(
            "item,relevant\n" + "".join(f"{name},{at % 2}\n" for at, name in enumerate(names))
        )
    monkeypatch.chdir(folder)
    monkeypatch.delenv("SPOTLAB_MODELS", raising=False)  # with the networks, as users have them
    matplotlib.use("Agg")
    known: dict[str, object] = {"__name__": "__main__"}
    for language, block in blocks(page):
        if language == "python":
            exec(compile(block, f"{page}.md", "exec"), known)
            continue
        for command in lines(block):
            program, *arguments = shlex.split(command)
            assert program == "spotlab", command
            done = CliRunner().invoke(_root(), arguments)
            assert done.exit_code == 0, f"{command}\n{done.output}{done.exception}"
    assert os.getcwd() == str(folder)


def test_most_pages_with_blocks_run_something() -> None:
    assert {"README", "tutorial", "detector-results", "howto-compare-systems"} <= {*RUN}
    marked = sum(PAGES[page].read_text("utf-8").count(OWN) for page in PAGES)
    assert 0 < marked <= 12, "few blocks are left to the reader"
