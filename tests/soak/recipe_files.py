"""Small files for the commands that the sample collections have nothing for."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
from matplotlib import get_data_path

from spotlab.formats.rows.part_folder import PartFolder
from spotlab.formats.runs import read_run
from spotlab.formats.truth import page_xml
from spotlab.lab.parts.partition import write_parts
from spotlab.resources import sample_collection
from spotlab.studies.tally.truth import read_truths

ITEMS = 60
# Tesseract for those who have none, or want it to take its time
TESSERACT = """#!/bin/sh
case "$1" in
    --version) echo tesseract 5.0.0 ;;
    --list-langs) printf 'List of available languages (1):\\neng\\n' ;;
    *) echo Ann met Bob in Bern; exec sleep 1 ;;
esac
"""


def prepare(folder: Path) -> Path:
    """Write them all."""
    folder.mkdir(parents=True)
    (folder / "ideal.csv").write_text(
        "query,rank,item,relevance\n"
        + "".join(f"q{q},{r},i{(q + r) % 40},{1 / r}\n" for q in range(40) for r in range(1, 30))
    )
    (folder / "answers.csv").write_text(
        "system,query,rank,item\n"
        + "".join(
            f"s{s},q{q},{r},i{(q + s + r) % 40}\n"
            for s in range(3) for q in range(40) for r in range(1, 20)
        )
    )  # fmt: skip
    _uncertain(folder)
    _list(folder)
    _second_truth(folder / "truth")
    _parts(folder / "parts")
    program = folder / "bin" / "tesseract"
    program.parent.mkdir()
    program.write_text(TESSERACT)
    program.chmod(0o755)
    _fonts(folder)
    return folder


def _fonts(folder: Path) -> None:
    """What words are drawn with; matplotlib brings fonts along."""
    (folder / "fonts").mkdir()
    for name in ("DejaVuSans", "DejaVuSerif", "STIXGeneralItalic"):
        shutil.copy(Path(get_data_path()) / "fonts" / "ttf" / f"{name}.ttf", folder / "fonts")
    (folder / "words.txt").write_text("letters\norders\ninstructions\ncompany\nregiment\n")


def _parts(folder: Path) -> None:
    plans = sample_collection()
    run = read_run(plans / "runs" / "a_ratios.csv").run
    write_parts(read_truths([plans]), {run.name: run}, PartFolder.of(folder), pages=2)


def _uncertain(folder: Path) -> None:
    leaves = [f"c{number}" for number in range(8)]
    (folder / "tree.csv").write_text(
        "category,parent\n" + "".join(f"{leaf},all\n" for leaf in leaves)
    )
    (folder / "judgements.csv").write_text(
        "subject,item,category\n"
        + "".join(f"s{s},i{i},c{(i + s % 2) % 8}\n" for s in range(6) for i in range(ITEMS))
    )
    (folder / "answered.csv").write_text(
        "system,query,rank,item\n"
        + "".join(
            f"s{s},i{q},{r},i{(q + r * (s + 1)) % ITEMS}\n"
            for s in range(3) for q in range(0, ITEMS, 4) for r in range(1, 16)
        )
    )  # fmt: skip


def _list(folder: Path) -> None:
    random = np.random.default_rng(1)
    (folder / "list.csv").write_text(
        "query,item,score,relevant\n"
        + "".join(f"q,i{i},{1 - i / (2 * ITEMS)},{i % 2}\n" for i in range(ITEMS))
    )
    half = random.random((ITEMS, ITEMS)) / 2
    scores = half + half.T
    np.fill_diagonal(scores, 1)
    np.savez(folder / "scores.npz", scores=scores, items=[f"i{i}" for i in range(ITEMS)])


def _second_truth(folder: Path) -> None:
    """Another annotator of the floor plans, who has left out every third symbol."""
    folder.mkdir()
    for file in sorted(sample_collection().glob("*.xml")):
        truth = page_xml.read(file)
        kept = tuple(region for place, region in enumerate(truth.regions) if place % 3)
        page_xml.write(type(truth)(truth.page, kept), folder / file.name)


if __name__ == "__main__":
    prepare(Path(sys.argv[1]))
