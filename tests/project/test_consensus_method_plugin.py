"""A consensus method of another package is offered wherever those of spotlab are."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.project import plugins
from tests.project.test_plugins import run

GROUP = ("spotlab.consensus.methods",)
MOST = """
import numpy as np
from spotlab.consensus.comparison import SystemFigures
from spotlab.consensus.method import ConsensusMethod, MethodEstimate
from spotlab.consensus.precision import figures_with_truth

def estimate(evidence, progress):
    right = np.nanmean(evidence.votes.dense(), axis=1) > 0.5
    figures = SystemFigures(*figures_with_truth(evidence.votes, right, evidence.beta))
    return MethodEstimate(figures, expected_relevant=float(right.sum()), remark="by majority")

it = ConsensusMethod("most", "Most votes", "What most vote for is relevant.", "Stands on most.",
                     estimate, {options})
"""
FAILING = """
from spotlab.consensus.method import ConsensusMethod
it = ConsensusMethod("{name}", "Failing", "It fails.", "None.", lambda evidence, progress: {body})
"""
VOTES = "item,S1,S2,S3\n1,1,1,1\n2,1,1,1\n3,0,1,0\n4,1,0,0\n5,1,0,0\n6,0,0,1\n7,0,0,0\n"
CONTEST = Path(__file__).resolve().parents[2] / "datasets" / "votes" / "contest.csv"
IN_THE_WINDOW = """
from pathlib import Path
from tempfile import mkdtemp
from spotlab.gui.window.app import application
app = application()
from spotlab.gui.systems.ranking.ranking import RankingPanel
from spotlab.gui.systems.ranking.systems_figures import SystemsFiguresPanel
from tests.gui.choosing import pick
from tests.gui.systems.systems_window import example, settle, use, workbench_on
workbench = workbench_on(Path(mkdtemp()), example())
panel, ranking = SystemsFiguresPanel(workbench), RankingPanel(workbench)
panel.show()
ranking.show()
use(panel.systems, example())
pick(panel.method, "others")  # few methods are in sight at first
print(*(panel.method.itemText(at) for at in range(panel.method.count())), sep="|")
print(*(ranking.right.itemText(at) for at in range(ranking.right.count())), sep="|")
pick(panel.method, "most")
settle()
model = panel.table.model
print(model.index(model.row_of(0), 1).data(), panel.assumption.text())
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A method, a method that raises, and one that gives something else."""
    folder = tmp_path_factory.mktemp("site")
    plugins.install(folder, "most", MOST.format(options="order=27"), GROUP)
    plugins.install(folder, "raising", FAILING.format(name="raising", body="1 / 0"), GROUP)
    plugins.install(folder, "odd", FAILING.format(name="odd", body="3"), GROUP)
    plugins.install(folder, "taken", FAILING.format(name="answers", body="3"), GROUP)
    return folder


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    path = tmp_path / "votes.csv"
    path.write_text(VOTES)
    return path


def consensus(site: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    done = run(site, "-m", "spotlab", "consensus", *map(str, arguments))
    assert done.returncode == 0, done.stderr
    return done


def in_order(found: Iterable[str], *wanted: str) -> bool:
    """Whether these stand among what is found, in this order."""
    return [name for name in found if name in wanted] == list(wanted)


@pytest.mark.slow
def test_the_command_gives_its_figures(site: Path, votes: Path) -> None:
    done = consensus(site, votes, "--draws", 0, "--json", "-")
    found = json.loads(done.stdout)["methods"]
    assert in_order(found, "majority", "most", "dawid_skene")
    assert {"raising", "odd", "taken"}.isdisjoint(found)
    assert found["most"]["systems"]["S2"] == {
        "precision": pytest.approx(2 / 3), "recall": 1.0, "f": pytest.approx(0.8), "rank": 1,
    }  # fmt: skip
    assert found["most"]["remark"] == "by majority"
    assert sorted(done.stderr.splitlines()) == [
        "spotlab: the package odd 1.0: 'odd' is left out: TypeError: gives int, expected "
        "MethodEstimate",
        "spotlab: the package raising 1.0: 'raising' is left out: ZeroDivisionError: division by "
        "zero",
        "spotlab: the package taken 1.0: the entry 'taken' of spotlab.consensus.methods is left "
        "out: the name 'answers' is taken",
    ]


@pytest.mark.slow
def test_the_text_and_the_report_have_it(site: Path, votes: Path, tmp_path: Path) -> None:
    done = consensus(site, votes, "--all-methods", "--out", tmp_path / "report")
    lines = done.stdout.splitlines()
    (line,) = (line for line in lines if line.startswith("Most votes  "))
    assert line.split() == ["Most", "votes", "2.0"]
    figures = lines[lines.index("Most votes:") :]
    best = next(line for line in figures if line.startswith("S2 "))
    assert best.split()[:5] == ["S2", "1", ".667", "1.000", ".800"]
    report = (tmp_path / "report" / "report.html").read_text()
    assert "Most votes: rank" in report and "What most vote for is relevant." in report


@pytest.mark.slow
def test_the_window_offers_it(site: Path) -> None:
    done = run(site, "-c", IN_THE_WINDOW)
    assert done.returncode == 0, done.stderr
    methods, rankings, figures = done.stdout.splitlines()
    assert in_order(methods.split("|"), "Majority", "Most votes", "Dawid & Skene")
    assert "Failing" not in methods
    assert "Most votes" in rankings.split("|")
    assert figures.startswith(".500 Stands on most.")


@pytest.mark.slow
def test_a_correction_is_offered_where_systems_share_groups(tmp_path: Path, votes: Path) -> None:
    site = tmp_path / "site"
    plugins.install(site, "most", MOST.format(options="corrects_groups=True"), GROUP)
    lone = json.loads(consensus(site, votes, "--draws", 0, "--json", "-").stdout)
    assert not lone["corrections"] and "most" not in lone["methods"]
    grouped = consensus(site, CONTEST, "--group-by", "engine", "--draws", 0, "--json", "-")
    found = json.loads(grouped.stdout)
    assert "most" not in found["methods"]
    assert in_order(found["corrections"], "most", "leave_group_out")
