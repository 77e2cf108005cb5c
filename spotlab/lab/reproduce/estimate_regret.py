"""Regret of the recommended estimate relative to the best one, on votes with known truth.

The best method of a data set is known only afterwards. Regret is the difference from it: of
Kendall's τ of F, and of the mean absolute errors of precision and recall.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from spotlab.consensus.comparison import LIMITS, Nearness, RuleLimits, choose_method, describe_pool
from spotlab.consensus.votes import Votes
from spotlab.files import is_file, is_folder
from spotlab.formats.rows.json_values import to_builtins
from spotlab.formats.votes.format import VoteTable
from spotlab.formats.votes.reading import read_votes
from spotlab.lab.draw.contest import THREE_ENGINES, TWO_ENGINES, ContestEngine, simulate_contest
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.studies.systems.comparison import SystemComparison, compare_systems

MIN_VOTES = 20  # known votes of a system that is compared: figures from fewer are mostly chance
SOME_SHARE = (
    ContestEngine("shared", 4, 0.65, 0.9),
    *(ContestEngine(f"own {number}", 1, 0.6 + number / 20, 0.2) for number in range(6)),
)
CONTESTS = {"two engines": TWO_ENGINES, "three engines": THREE_ENGINES, "some share": SOME_SHARE}
JUDGES = (6, 12, 24)  # numbers of independent systems
GRID = (
    LIMITS,
    *(
        RuleLimits(*values)
        for values in product((0.1, 0.25, 0.5), (0.05, 0.1, 0.2), (0.5, 0.75, 1.0))
        if RuleLimits(*values) != LIMITS
    ),
)


@dataclass(frozen=True, eq=False)
class EstimateRegret:
    """All estimates for one set of votes, beside the truth.

    Attributes
    ----------
    name : str
        Name of the votes.
    systems, items : int
        Numbers of systems that are compared and of items.
    recommended : str
        Title of the recommended method.
    answer_items : int
        Number of items that the recommendation asks to answer first.
    nearness : mapping of str to Nearness
        How close each method or correction is to the truth, by its title.
    choices : mapping of RuleLimits to str
        Title of the method that would be recommended with other limits of the rules.
    family : str
        Name of the collection; what is chosen without a set is chosen without its family.
    held : float or None
        Share of the true precision, recall and F that the recommended 95 % intervals hold.
    """

    name: str
    systems: int
    items: int
    recommended: str
    answer_items: int
    nearness: Mapping[str, Nearness]
    choices: Mapping[RuleLimits, str] = field(default_factory=dict)
    family: str = ""
    held: float | None = None

    __repr__ = short_repr

    @property
    def best(self) -> str | None:
        """Title of the method with the highest τ; the recommended one if it shares it."""
        taus = {name: near.kendall for name, near in self.nearness.items()}
        known = {name: tau for name, tau in taus.items() if tau is not None}
        if not known:
            return None
        return max(known, key=lambda name: (known[name], name == self.recommended))

    @property
    def tau(self) -> float | None:
        """Regret of τ, 0 or more; None if τ is undefined."""
        own = self.nearness[self.recommended].kendall
        best = None if self.best is None else self.nearness[self.best].kendall
        return None if own is None or best is None else best - own

    @property
    def precision(self) -> float | None:
        """Regret of the error of precision, 0 or more; None if it is undefined."""
        return self._error("precision_error")

    @property
    def recall(self) -> float | None:
        """Regret of the error of recall, 0 or more; None if it is undefined."""
        return self._error("recall_error")

    def _error(self, name: str) -> float | None:
        own = getattr(self.nearness[self.recommended], name)
        errors = [getattr(near, name) for near in self.nearness.values()]
        known = [error for error in errors if error is not None]
        return None if own is None or not known else own - min(known)


def measure_regret(
    name: str, table: VoteTable, min_votes: int = MIN_VOTES, progress: Progress = silent
) -> EstimateRegret:
    """Estimate the figures of systems by all methods, and compare them with the truth.

    Parameters
    ----------
    name : str
        Name of the votes.
    table : VoteTable
        Votes with truth.
    min_votes : int
        Minimum number of known votes of a system that is compared.
    progress : callable
        Called with the steps done.

    Returns
    -------
    EstimateRegret
        The truth of some items is enough.

    Raises
    ------
    ValueError
        If there is no truth.

    Examples
    --------
    >>> table = dict(simulated_votes())["three engines"]
    >>> regret = measure_regret("three engines", table)
    >>> regret.recommended, regret.tau
    ("Groups' opinions", 0.0)
    """
    if table.truth is None:
        raise ValueError("there is no truth to compare with")
    found = compare_systems(table, min_votes=min_votes, progress=progress)
    every = [*found.methods, *found.corrections, found.recommended]
    near = {each.title: each.nearness for each in every if each.nearness is not None}
    return EstimateRegret(
        name,
        near[found.recommended.title].systems,
        len(table),
        found.recommended.title,
        found.recommendation.answer_items,
        near,
        _choices(found, table.votes, near),
        name.partition(":")[0],
        _held(found),
    )


def _held(found: SystemComparison) -> float | None:
    """Share of the true figures that the recommended intervals hold."""
    intervals, truth = found.recommended.intervals, found.truth
    if intervals is None or truth is None:
        return None
    held = []
    for part in ("precision", "recall", "f"):
        ends, true = getattr(intervals, part), getattr(truth, part)
        known = ~(np.isnan(true) | np.isnan(ends[:, 0]))
        inside = (ends[:, 0] - 1e-9 <= true) & (true <= ends[:, 1] + 1e-9)
        held += inside[known].tolist()
    return float(np.mean(held)) if held else None


def _choices(
    found: SystemComparison, votes: Votes, near: Mapping[str, Nearness]
) -> dict[RuleLimits, str]:
    """Titles of what other limits choose, as far as it was computed."""
    pool = describe_pool(votes)
    titles = {each.name: each.title for each in (*found.methods, *found.corrections)}
    chosen = {limits: choose_method(pool, found.groups, limits)[0] for limits in GRID}
    return {
        limits: titles[name]
        for limits, name in chosen.items()
        if name in titles and titles[name] in near
    }


def leave_one_out(rows: Sequence[EstimateRegret]) -> tuple[EstimateRegret, ...]:
    """Choose the limits of the rules on all other votes, and recommend with them.

    Parameters
    ----------
    rows : sequence of EstimateRegret
        One per set of votes.

    Returns
    -------
    tuple of EstimateRegret
        The same, each with the method that is recommended when the truth of its family is not used:
        the limits with the smallest mean regret of τ on the others. Of equal ones, those in use.
        Empty for fewer than two sets of votes.

    Examples
    --------
    >>> near = {name: Nearness(3, tau, tau, 0, 0, 0) for name, tau in (("A", 0.9), ("B", 0.5))}
    >>> row = EstimateRegret("x", 3, 9, "B", 0, near, {GRID[0]: "B", GRID[1]: "A"})
    >>> [left.recommended for left in leave_one_out([row, row, row])]
    ['A', 'A', 'A']
    """
    if len(rows) < 2:
        return ()
    left = []
    for at, row in enumerate(rows):
        family = row.family or None
        others = [each for place, each in enumerate(rows) if place != at and each.family != family]
        known = [limits for limits in GRID if limits in row.choices]
        best = min(known, key=lambda limits: _mean_tau(others, limits), default=None)
        left.append(row if best is None else replace(row, recommended=row.choices[best]))
    return tuple(left)


def _mean_tau(rows: Sequence[EstimateRegret], limits: RuleLimits) -> float:
    """Mean regret of τ with these limits."""
    chosen = [
        replace(row, recommended=row.choices.get(limits, row.recommended)).tau for row in rows
    ]
    known = [tau for tau in chosen if tau is not None]
    return round(float(np.mean(known)), 9) if known else 0.0


def simulated_votes(seed: int = 0) -> Iterator[tuple[str, VoteTable]]:
    """Simulate votes with truth: systems on shared engines, and independent ones.

    Parameters
    ----------
    seed : int
        Seed of all draws.

    Yields
    ------
    name : str
        What is simulated.
    table : VoteTable
        Votes of the systems, with truth.
    """
    for name, engines in CONTESTS.items():
        game = simulate_contest(engines, seed=seed)
        yield name, _table(game.votes, game.truth)
    rng = np.random.default_rng(seed)
    for systems in JUDGES:
        truth = (rng.random(600) < 0.4).astype(np.float64)
        right = rng.random((600, systems)) < rng.uniform(0.55, 0.95, systems)
        votes = np.where(right, truth[:, None], 1 - truth[:, None])
        names = [f"judge {number}" for number in range(systems)]
        yield f"{systems} independent", _table(Votes.of(votes, names), truth)


FEWEST = 10  # items of a class, and of the others, for a question of its own


def shared_votes(folder: Path, progress: Progress = silent) -> Iterator[tuple[str, VoteTable]]:
    """Read collections of votes with truth in a folder and in its folders.

    Parameters
    ----------
    folder : Path
        Each of its folders is a collection: answers of a crowd with a file of truth (CSV; the
        layouts of bluebirds and of AdultContent2 as well), runs of TREC, or texts of OCR systems.
    progress : callable
        Called with the lines read.

    Yields
    ------
    name : str
        Of the collection, and of a class where there are several: one against the rest each.
    table : VoteTable
        Votes, and truth where it is known.
    """
    for inner in sorted(path for path in folder.rglob("*") if is_folder(path)):
        with TemporaryDirectory() as place:
            files = _crowd_files(inner, Path(place))
            if files:
                yield from _one_against_rest(inner.name, files, progress)
    for name, depths in (("trec_robust03", (20, 100)), ("kant_ocr_systems", (100,))):
        if is_folder(folder / name):
            for depth in depths:
                table = read_votes(folder / name, depth=depth, progress=progress)
                yield (name if len(depths) == 1 else f"{name}: {depth}"), table


def _crowd_files(folder: Path, place: Path) -> list[Path]:
    """Answers and truth of a crowd as CSV; empty where a folder has none."""
    if is_file(folder / "labels.yaml"):
        pair = r"(\d+): (true|false)"
        answers = [
            (item, worker, said)
            for worker, all_said in re.findall(
                r"(\d+): \{([^}]*)\}", (folder / "labels.yaml").read_text("utf-8")
            )
            for item, said in re.findall(pair, all_said)
        ]
        truth = re.findall(pair, (folder / "gt.yaml").read_text("utf-8"))
    elif is_file(folder / "labels.txt"):
        rows = _tabbed(folder / "labels.txt")
        answers = [(row[1], row[0], row[2]) for row in rows if len(row) == 3]
        truth = [(row[0], row[1]) for row in _tabbed(folder / "gold.txt") if len(row) == 2]
    else:
        files = sorted(folder.glob("*.csv"))
        return files if is_file(folder / "truth.csv") and len(files) > 1 else []
    known = {item for item, _ in truth}
    written = {
        "answers.csv": [("item", "worker", "answer"), *(a for a in answers if a[0] in known)],
        "truth.csv": [("item", "truth"), *truth],
    }
    for name, lines in written.items():
        (place / name).write_text("".join(",".join(line) + "\n" for line in lines), "utf-8")
    return [place / name for name in written]


def _tabbed(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text("utf-8").splitlines() if line.strip()]


def _one_against_rest(
    name: str, files: list[Path], progress: Progress
) -> Iterator[tuple[str, VoteTable]]:
    """The votes for each class against the rest; one table where the answers are yes and no."""
    (told,) = (path for path in files if path.stem == "truth")
    classes = Counter(line.rsplit(",", 1)[1] for line in told.read_text("utf-8").splitlines()[1:])
    if set(classes) <= {"0", "1"}:
        yield name, read_votes(files, progress=progress)
        return
    if set(classes) <= {"true", "false"}:
        yield name, read_votes(files, yes=["true"], progress=progress)
        return
    for label, count in sorted(classes.items()):
        if FEWEST <= count <= sum(classes.values()) - FEWEST:
            yield f"{name}: {label}", read_votes(files, yes=[label], progress=progress)


def mean_regret(rows: Sequence[EstimateRegret]) -> tuple[float | None, float | None, float | None]:
    """Average the regrets of τ, precision and recall; undefined ones are left out.

    Parameters
    ----------
    rows : sequence of EstimateRegret
        One per set of votes.

    Returns
    -------
    tau, precision, recall : float or None
        None if all are undefined.
    """
    tau, precision, recall = (
        [value for row in rows if (value := getattr(row, name)) is not None]
        for name in ("tau", "precision", "recall")
    )
    means = [float(np.mean(values)) if values else None for values in (tau, precision, recall)]
    return means[0], means[1], means[2]


def as_json(rows: Sequence[EstimateRegret]) -> Any:
    """Return what `json.dumps` takes: a row for each set of votes, and the mean."""
    names = ("tau", "precision", "recall")
    return to_builtins(
        {
            "votes": [
                {
                    "name": row.name,
                    "systems": row.systems,
                    "items": row.items,
                    "recommended": row.recommended,
                    "best": row.best,
                    "answer_items": row.answer_items,
                    "held": row.held,
                    "regret": {name: getattr(row, name) for name in names},
                    "methods": {
                        title: {
                            "kendall_tau": near.kendall,
                            "precision_error": near.precision_error,
                            "recall_error": near.recall_error,
                        }
                        for title, near in row.nearness.items()
                    },
                }
                for row in rows
            ],
            "mean_regret": dict(zip(names, mean_regret(rows), strict=True)),
            "left_out_regret": dict(zip(names, mean_regret(leave_one_out(rows)), strict=True)),
        }
    )


def _table(votes: Votes, truth: np.ndarray[Any, np.dtype[np.float64]]) -> VoteTable:
    return VoteTable(votes, tuple(map(str, range(len(votes)))), truth=truth)
