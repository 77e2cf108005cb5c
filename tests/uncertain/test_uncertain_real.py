"""Real subjects with truth beside them: what the distributions hold of it, and what they don't.

Birds (108 pictures, 39 subjects), dogs (807 pictures of four breeds, 109 subjects, 10 each), and
web pages in four categories with an order: each is at least what stands above it in the tree.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from spotlab.formats.judgement_trees import ReadCategories, read_judgements, read_tree
from spotlab.formats.lists.rankings import Ranking
from spotlab.studies.uncertain.study import UncertainSettings, study_uncertainty
from spotlab.studies.uncertain.subject_displacement import displace
from spotlab.uncertain_truth.answers import Answer, measures_at
from spotlab.uncertain_truth.judgements import Judgements, expected_size, relevance

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "crowd_labels"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the real judgements are not there")

Rows = list[tuple[str, str, str]]


def birds() -> tuple[str, Rows, dict[str, str]]:
    name = {"true": "bunting", "false": "grosbeak"}
    pair = re.compile(r"(\d+): (true|false)")
    rows = [
        (worker, item, name[said])
        for worker, block in re.findall(
            r"(\d+): \{([^}]*)\}", (DATA / "bluebirds" / "labels.yaml").read_text()
        )
        for item, said in pair.findall(block)
    ]
    truth = {i: name[said] for i, said in pair.findall((DATA / "bluebirds/gt.yaml").read_text())}
    return "bunting,bird\ngrosbeak,bird\n", rows, truth


def dogs() -> tuple[str, Rows, dict[str, str]]:
    folder = DATA / "s4_Dog_data"
    with (folder / "answer.csv").open() as file:
        rows = [
            (row["worker"], row["question"], "breed " + row["answer"])
            for row in csv.DictReader(file)
        ]
    with (folder / "truth.csv").open() as file:
        truth = {row["question"]: "breed " + row["truth"] for row in csv.DictReader(file)}
    return "".join(f"breed {n},dog\n" for n in range(4)), rows, truth


def pages() -> tuple[str, Rows, dict[str, str]]:
    folder = DATA / "AdultContent2"
    rows = [tuple(line.split("\t")) for line in (folder / "labels.txt").read_text().splitlines()]
    truth = dict(line.split("\t") for line in (folder / "gold.txt").read_text().splitlines())
    return "G,\nP,G\nR,P\nX,R\n", rows, truth  # type: ignore[return-value]


def read(folder: Path, tree: str, rows: Rows) -> ReadCategories:
    (folder / "tree.csv").write_text("category,parent\n" + tree)
    with (folder / "judgements.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("subject", "item", "category"), *rows])
    categories = read_tree(folder / "tree.csv").tree
    assert categories is not None
    return read_judgements(folder / "judgements.csv", categories)


def half(judgements: Judgements, subjects: np.ndarray) -> Judgements:
    kept = subjects[judgements.subject]
    columns = (judgements.item[kept], judgements.subject[kept], judgements.category[kept])
    return Judgements(judgements.tree, judgements.items, judgements.subjects, *columns)


def covered(
    judgements: Judgements, truth: dict[str, str], n: int, shift: float
) -> tuple[float, float]:
    """How often a 95 % band holds the true precision, and how wide it is on the mean.

    What some of the subjects find most relevant is returned; the others judge it.
    """
    random, tree = np.random.default_rng(0), judgements.tree
    true = np.full(len(judgements.items), -1)
    for item, category in truth.items():
        if item in judgements.number:
            true[judgements.number[item]] = tree.number[category]
    held, widths = [], []
    for _ in range(20):
        chosen = random.random(len(judgements.subjects)) < 0.5
        returns, judges = relevance(half(judgements, chosen)), relevance(half(judgements, ~chosen))
        usable = np.flatnonzero(~np.isnan(returns[:, 0]) & ~np.isnan(judges[:, 0]) & (true >= 0))
        for category in range(1, len(tree)):
            ties = random.random(len(usable))
            first = usable[np.lexsort((ties, -returns[usable, category]))][:n]
            answer = Answer(judges[first, category][None], np.ones(1), np.ones(1))
            precision, _ = measures_at(answer, n, shift)
            assert precision is not None
            low, high = precision.band(0.95)
            right = np.mean([category in tree.ancestors(own) for own in true[first].tolist()])
            held.append(low - 1e-9 <= right <= high + 1e-9)
            widths.append(high - low)
    return float(np.mean(held)), float(np.mean(widths))


@pytest.mark.parametrize(
    ("case", "n", "plain"),
    # how often the plain band holds the truth: from nearly always to less than every other time
    [(birds, 10, (0.8, 0.95)), (birds, 40, (0.2, 0.6)), (dogs, 10, (0.93, 1)),
     (dogs, 40, (0.6, 0.85)), (pages, 10, (0.93, 1)), (pages, 40, (0.5, 0.8))],
)  # fmt: skip
def test_bands_describe_agreement_and_a_shared_shift_reaches_the_truth(
    tmp_path: Path,
    case: Callable[[], tuple[str, Rows, dict[str, str]]],
    n: int,
    plain: tuple[float, float],
) -> None:
    tree, rows, truth = case()
    judgements = read(tmp_path, tree, rows).judgements
    held, width = covered(judgements, truth, n, 0.0)
    assert plain[0] <= held <= plain[1]
    shifted, wide = covered(judgements, truth, n, 1.0)
    assert shifted >= 0.95
    assert wide > 1.15 * width  # its price


def test_workers_who_judge_a_page_again_are_listed(tmp_path: Path) -> None:
    tree, rows, _ = pages()
    found = read(tmp_path, tree, rows)
    assert len(found.bad_lines) == 2  # five more are repeated as they are
    assert all("already" in line.problem for line in found.bad_lines)
    assert len(found.judgements) == len(rows) - 7
    probability = relevance(found.judgements)
    assert (np.diff(probability, axis=1) <= 0).all()  # G, P, R, X: each is part of the one before
    assert (probability[:, 0] == 1).all()
    assert expected_size(probability)[0] == len(found.judgements.items)


def test_a_chain_of_categories_as_a_study(tmp_path: Path) -> None:
    tree, rows, _ = pages()
    judgements = read(tmp_path, tree, rows).judgements
    probability = relevance(judgements)
    best = [judgements.items[at] for at in np.argsort(-probability[:, 3], kind="stable")[:60]]
    random = [judgements.items[at] for at in np.random.default_rng(0).permutation(333)[:60]]
    query = best[0]
    rankings = [Ranking("agrees", query, tuple(best)), Ranking("random", query, tuple(random))]
    study = study_uncertainty(judgements, rankings, UncertainSettings(compare_at=50))
    (between,) = study.comparisons
    assert between.comparison is not None
    assert between.comparison.superiority > 0.999
    first, second = study.answers
    assert first.bands.precision.mean[49] > 0.7 > second.bands.precision.mean[49]
    for displacement in displace(judgements, rankings):
        assert [each.system for each in displacement.systems] == ["agrees", "random"]
