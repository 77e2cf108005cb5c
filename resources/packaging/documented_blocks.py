"""Runs the blocks of a page of the documentation in their order, as a reader does.

python resources/packaging/documented_blocks.py PAGE.md

It works in the current folder, with the spotlab of the Python that runs it, and needs nothing else.
The page's own files (`**name**` over a block) and those that pages speak of are there. Blocks that
begin with "# your own files" need what only the reader has, or take hours: they are left out.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HELP = ROOT / "resources" / "help"
OWN = "# your own files"
FROM_NOTHING = ("README", "tutorial", "formats")  # they make all that they need
NOT_HERE = ("pip ", "make ", "sudo ", "spotlab open", "spotlab demo")  # installs, or a window
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^\*\*([\w./-]+)\*\*\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INSTALL = re.compile(r'pip install "?(spotlab(?:\[[\w,]+\])?)')
PLANS, PARTS = ("plan_001", "plan_002"), 3  # of the letter: a heading and two paragraphs
TABLES = {
    "lists": "query,item,score,relevant orders,a,0.95,1 orders,b,0.90,0 orders,c,0.85,1 "
    "orders,d,0.60,0",
    "judgements": "subject,item,category A,one,people A,two,scenery B,one,people B,two,people",
    "tree": "category,parent people,all scenery,all",
    "answers": "system,query,rank,item S,people,1,one S,people,2,two T,people,1,two T,people,2,one",
    "ideal": "subject,query,rank,item,relevance A,people,1,one,1 A,people,2,two,0.5",
    "judged": "item,relevant 1.1,1 1.2,0 1.3,0",
}
COPIES = {  # by other names, of which pages speak
    "tune.csv": "lists.csv", "test.csv": "lists.csv", "tune.npz": "scores.npz",
    "test.npz": "scores.npz", "old.csv": "theirs.csv", "found.csv": "mine.csv",
    "anna": "plans", "ben": "plans", "cleo": "plans",
}  # fmt: skip


def pages() -> dict[str, Path]:
    """Names and files of the pages that have blocks."""
    files = [ROOT / "README.md", *sorted(HELP.glob("*.md"))]
    return {file.stem: file for file in files if blocks(file.read_text("utf-8"))}


def blocks(text: str) -> list[tuple[str, str]]:
    """Language and content of each block of a page that runs."""
    return [found for found in BLOCK.findall(text) if not found[1].startswith(OWN)]


def environment(text: str) -> str | None:
    """What the reader of a page has installed, by its first line for pip; None if it has none.

    Parameters
    ----------
    text : str
        Of the page.

    Returns
    -------
    str or None
        Such as "spotlab[gui]".
    """
    named = INSTALL.search(text)
    return named and named[1]


def commands(block: str) -> Iterator[list[str]]:
    """Arguments of each call of spotlab in a block of the shell."""
    for line in block.replace("\\\n", " ").splitlines():
        command = re.sub(r"\s+#.*", "", line).strip()
        if command and not command.startswith(("#", *NOT_HERE)):
            program, *arguments = shlex.split(command)
            assert program == "spotlab", command
            yield arguments


def make_files(folder: Path) -> None:
    """Make the files that pages speak of: plans/, letters/, mine.csv, votes.csv and so on."""
    import numpy as np  # noqa: PLC0415 - pages are also listed where there is none

    from spotlab.resources import LETTERS, VOTES, sample_collection  # noqa: PLC0415

    plans, letters = sample_collection(), sample_collection(LETTERS)
    for name in ("plans", "letters"):
        (folder / name).mkdir()
    for name in PLANS:
        for suffix in (".png", ".xml"):
            shutil.copy(plans / f"{name}{suffix}", folder / "plans")
    shutil.copy(letters / "letter_001.jpg", folder / "letters")
    words = (letters / "letter_001.xml").read_text("utf-8").split("<TextRegion")[: 1 + PARTS]
    text = "<TextRegion".join(words) + "  </Page>\n</PcGts>\n"
    (folder / "letters" / "letter_001.xml").write_text(text, "utf-8")
    for target, source in (("mine", "e_alignment"), ("theirs", "a_ratios")):
        head, *lines = (plans / "runs" / f"{source}.csv").read_text().splitlines(keepends=True)
        kept = [line for line in lines if line.split(",")[1] in PLANS]
        (folder / f"{target}.csv").write_text("".join([head, *kept]))
    contest = sample_collection(VOTES) / "contest.csv"
    shutil.copy(contest, folder / "votes.csv")
    for name, table in TABLES.items():
        (folder / f"{name}.csv").write_text(table.replace(" ", "\n") + "\n")
    scores = np.full((4, 4), 0.4) + 0.6 * np.eye(4)
    np.savez(folder / "scores.npz", scores=scores, items=np.array(list("abcd")))
    for name, source in COPIES.items():
        copy = shutil.copytree if (folder / source).is_dir() else shutil.copy
        copy(folder / source, folder / name)


def run(page: Path, folder: Path) -> None:
    """Run a page in a folder with the files that it speaks of.

    Raises
    ------
    SystemExit
        A command failed.
    """
    text = page.read_text("utf-8")
    if page.stem not in FROM_NOTHING:
        make_files(folder)
    for name, content in FILE.findall(text):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    os.chdir(folder)
    known: dict[str, object] = {"__name__": "__main__"}
    for language, block in blocks(text):
        if language == "python":
            print(block, flush=True)
            exec(compile(block, page.name, "exec"), known)
            continue
        for arguments in commands(block):
            print("$ spotlab", *arguments, flush=True)
            done = subprocess.run([sys.executable, "-m", "spotlab", *arguments], check=False)
            if done.returncode:
                sys.exit(
                    f"{page.name}: spotlab {shlex.join(arguments)}: ended with {done.returncode}"
                )


if __name__ == "__main__":
    sys.path.pop(0)  # the folder of this file
    os.environ.setdefault("MPLBACKEND", "agg")
    os.environ.pop("SPOTLAB_MODELS", None)  # with the networks, as users have them
    run(Path(sys.argv[1]).resolve(), Path.cwd())
