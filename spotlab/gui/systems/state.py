"""The state of the Systems workspace: votes, the weight of every voter, and what follows from them.

Panels read it, call its methods and listen to its signals. A weight moves everything at once,
because all figures are algebra on one small matrix; what needs the votes themselves is computed in
a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from spotlab.consensus.answers import KnownAnswers
from spotlab.consensus.comparison import Recommendation, SystemFigures, describe_pool, shared_error
from spotlab.consensus.method import MethodEstimate, estimate_by_weights
from spotlab.consensus.precision import Gram, Weights, gram_of
from spotlab.consensus.votes import Votes
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.votes.format import TRUTH, VoteOptions, VoteTable
from spotlab.formats.votes.reading import read_votes
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.text import rich
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.studies.systems.comparison import SystemComparison, compare_systems
from spotlab.studies.systems.method_results import MethodResult
from spotlab.studies.systems.voters import ANSWERS, arrange_voters, virtual_names

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


@dataclass(frozen=True, eq=False)
class Loaded:
    """Votes with all that is computed of them once.

    Attributes
    ----------
    table : VoteTable
    columns : tuple of str
        Who votes: the systems, and the truth as an oracle, last, where it is known.
    gram : Gram
        Of the columns.
    systems : int
        How many of the columns are systems.
    votes : Votes
        Of the columns.
    shared_error : float
        Of the systems; see `consensus.comparison.shared_error`.
    """

    table: VoteTable
    columns: tuple[str, ...]
    gram: Gram
    systems: int
    votes: Votes
    shared_error: float

    @property
    def virtual(self) -> tuple[str, str]:
        """Return what ⊤ and ⊥ are called beside these columns: "top" and "bottom", if none is."""
        return virtual_names(self.columns)

    @cached_property
    def relevant_share(self) -> float:
        """Of the items whose truth is known; NaN where none is: the true precision of ⊤."""
        truth = self.table.truth
        known = np.zeros(0) if truth is None else truth[~np.isnan(truth)]
        return float(known.mean()) if len(known) else float("nan")


def load(table: VoteTable, progress: Progress, answers: KnownAnswers | None = None) -> Loaded:
    """Sum the votes up, with an oracle as one more voter: answers, else the truth where known."""
    known = table.truth is not None and not np.isnan(table.truth).all()
    oracle = TRUTH if known and TRUTH not in table.systems else None
    if answers is not None and ANSWERS not in table.systems:
        oracle = ANSWERS
    case = arrange_voters(table, None, oracle, answers)
    columns, systems = case.columns, len(table.systems)
    error = shared_error(describe_pool(table.votes))
    return Loaded(table, columns.systems, gram_of(columns, progress), systems, columns, error)


def paper_weights(loaded: Loaded) -> dict[str, float]:
    """The paper's: the same for all, ⊤ and ⊥, and nothing for the oracle."""
    equal = dict.fromkeys((*loaded.columns, *loaded.virtual), 1.0)
    return equal | dict.fromkeys(loaded.columns[loaded.systems :], 0.0)


def tell_bad_lines(workbench: Workbench, bad: Sequence[BadLine]) -> None:
    """Say which lines were passed over, if any were."""
    if bad:
        more = f" and {len(bad) - 1:,} more" if len(bad) > 1 else ""
        workbench.said.emit(f"Lines that were passed over: {bad[0]}{more}", True)


DECIDED = "Your answers decide better than agreement alone."

KENDALL = rich(
    "<p><b>Kendall's τ</b></p><p>Of all pairs of systems, the share that is in the same order by F "
    "with truth, less the share in the opposite order: 1 same order, 0 none, −1 opposite "
    "(τ-b, ties counted). Larger: the estimate ranks the systems more as the truth does.</p>"
)


def advice_of(
    comparison: SystemComparison | None, answered: MethodResult | None
) -> Recommendation | None:
    """Return what is recommended; None while nothing is known.

    Parameters
    ----------
    comparison : SystemComparison or None
    answered : MethodResult or None
        What follows from the answers; None as long as these are too few to decide.
    """
    if answered is not None:
        return Recommendation(answered.name, DECIDED)
    return comparison.recommendation if comparison else None


class TableChoices(msgspec.Struct, frozen=True, omit_defaults=True):
    """Stored choices for the tables.

    Attributes
    ----------
    page : str
        Title of the page in front.
    column : str
        Name of the figure by which the ranking is sorted; empty for the systems' names.
    falling : bool
        Whether the highest value comes first.
    votes : str
        Order of the items, as `By`.
    """

    page: str = "Ranking"
    column: str = "rank"
    falling: bool = False
    votes: str = "file"


class ShownTables:
    """Told by the tables what the user chose; tells them what was chosen before.

    Attributes
    ----------
    choices : TableChoices
    """

    def __init__(self, workbench: Workbench) -> None:
        self.choices = TableChoices()
        self.changed = Signal[[]]()

    def use(self, choices: TableChoices) -> None:
        """Show other pages and orders."""
        if choices != self.choices:
            self.choices = choices
            self.changed.emit()

    def choose(self, **values: str | bool) -> None:
        """Change some of them."""
        self.use(msgspec.structs.replace(self.choices, **values))


BY_WEIGHTS = "weights"  # the method that the sliders rule


class Systems:
    """Votes of systems, and what is looked at.

    Attributes
    ----------
    loaded : Loaded or None
    paths : tuple of Path
        Where the votes were read.
    weights : dict of str to float
        Of every column, and of ⊤ and ⊥ as `Loaded.virtual` calls them, from 0 to 1; only their
        proportions matter.
    by_weights : MethodEstimate or None
        Of the systems, by these weights.
    comparison : SystemComparison or None
        Methods, agreement, groups, intervals; None while they are being computed.
    method : str
        Whose figures are looked at: "weights", or the name of a method or a correction. What is
        recommended, until the user chooses.
    offers_all : bool
        Whether all methods are offered, not only those in sight.
    awaited : object or None
        What is looked at as soon as the votes are there that are being read.
    answered : MethodResult or None
        What follows from the answers to some items; None as long as these are too few.
    group_by : str or None
        A factor of the systems.
    system, item : int or None
        The chosen ones.
    place : (int, box) or None
        Where an item was found on its page.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.loaded: Loaded | None = None
        self.paths: tuple[Path, ...] = ()
        self.weights: dict[str, float] = {}
        self.by_weights: MethodEstimate | None = None
        self.comparison: SystemComparison | None = None
        self.options = VoteOptions()
        self.method = BY_WEIGHTS
        self.awaited: object | None = None
        self.answered: MethodResult | None = None
        self.group_by: str | None = None
        self.system: int | None = None
        self.item: int | None = None
        self.place: tuple[int, tuple[float, float, float, float]] | None = None
        self.table_changed = Signal[[]]()
        self.weights_changed = Signal[[]]()
        self.comparison_changed = Signal[[]]()
        self.method_changed = Signal[[]]()
        self.chosen_changed = Signal[[]]()
        self.answered_changed = Signal[[]]()
        self.busy_changed = Signal[[]]()
        self.offers_all = False
        self._own_choice = False  # whether the user chose the method
        self._reading = Task(workbench)
        self._comparing = Task(say=workbench.said.emit)
        for task in (self._reading, self._comparing):
            task.busy_changed.connect(self.busy_changed.emit)

    @property
    def table(self) -> VoteTable | None:
        """The votes that are open."""
        return self.loaded.table if self.loaded else None

    @property
    def names(self) -> tuple[str, ...]:
        """The systems."""
        return self.loaded.table.systems if self.loaded else ()

    @property
    def oracle(self) -> str | None:
        """The column that is the truth, or the answers to some items; None where there is none."""
        loaded = self.loaded
        return loaded.columns[-1] if loaded and len(loaded.columns) > loaded.systems else None

    @property
    def busy(self) -> bool:
        """Tell whether votes are being read or systems compared."""
        return self._reading.busy or self._comparing.busy

    @property
    def weighted(self) -> SystemFigures | None:
        """Of the systems, by the weights of the sliders."""
        return self.by_weights.figures if self.by_weights else None

    @property
    def voting_weights(self) -> Weights | None:
        """Weights of the sliders, as methods take them; None without votes."""
        loaded = self.loaded
        if loaded is None:
            return None
        columns = np.array([self.weights[name] for name in loaded.columns])
        top, bottom = (self.weights[name] for name in loaded.virtual)
        return Weights(columns, top, bottom)

    @property
    def truth(self) -> SystemFigures | None:
        """Of the systems, with truth; None where it is not known, or not yet computed."""
        return self.comparison.truth if self.comparison else None

    @property
    def results(self) -> tuple[MethodResult, ...]:
        """Return what the methods and the corrections that are offered say."""
        computed = self.comparison.every if self.comparison else ()
        return (*computed, *([self.answered] if self.answered else []))

    @property
    def advice(self) -> Recommendation | None:
        """The estimate to look at first, and why; None while it is not known."""
        return advice_of(self.comparison, self.answered)

    def result(self, name: str) -> MethodResult | None:
        """Return what a method says; None while it is not known."""
        return next((each for each in self.results if each.name == name), None)

    def open(
        self,
        paths: Sequence[Path],
        then: Callable[[], object] | None = None,
        awaited: object | None = None,
    ) -> None:
        """Read votes in the background; what was open stays if they cannot be read.

        ``then`` is called when they are there; what is ``awaited`` until then can be asked for.
        """
        self.cancel()
        self.awaited = awaited
        options = self.options

        def work(progress: Progress) -> Loaded:
            read = read_votes(
                list(paths),
                method=options.method,
                depth=options.depth,
                overlap=options.overlap,
                progress=progress,
            )
            return load(read, progress)

        def done(loaded: Loaded) -> None:
            self.use(loaded, tuple(paths))
            tell_bad_lines(self.workbench, loaded.table.bad_lines)
            if then:
                then()

        def failed(error: Exception) -> None:
            self.awaited = None
            self._reading.tell(error)

        self._reading.start(work, done=done, failed=failed)

    def use(self, loaded: Loaded, paths: tuple[Path, ...] = ()) -> None:
        """Look at these votes, read from there, by what will be recommended for them."""
        self.loaded = loaded
        self.paths = paths
        self.comparison = self.answered = self.awaited = None
        self.system = self.item = self.place = None
        self.group_by = None
        self.method = BY_WEIGHTS
        self._own_choice = False
        self.weights = paper_weights(loaded)
        self._weigh()
        self.table_changed.emit()
        self.weights_changed.emit()
        self.chosen_changed.emit()
        self._compare()

    def cancel(self) -> None:
        """Give up what is under way; what is there stays."""
        self.awaited = None
        self._reading.cancel()
        self._comparing.cancel()

    def close(self) -> None:
        """Let go of the votes."""
        self.cancel()
        self.loaded = self.by_weights = self.comparison = self.answered = None
        self.paths = ()
        self.weights = {}
        self.system = self.item = None
        self.table_changed.emit()
        self.weights_changed.emit()
        self.chosen_changed.emit()

    def set_weight(self, name: str, weight: float) -> None:
        """Let a voter count more or less."""
        self.set_weights({**self.weights, name: weight})

    def set_weights(self, weights: Mapping[str, float]) -> None:
        """Let all voters count so much, and look at what follows."""
        self.set_method(BY_WEIGHTS)
        if dict(weights) != self.weights:
            self.weights = dict(weights)
            self._weigh()
            self.weights_changed.emit()

    def reset_weights(self) -> None:
        """Everybody counts the same, the oracle nothing: as in the paper."""
        if self.loaded:
            self.set_weights(paper_weights(self.loaded))

    def leave_out_virtual(self) -> None:
        """Every system counts the same, ⊤, ⊥ and the oracle nothing: P(δ) is the vote share."""
        self.set_weights({name: float(name in self.names) for name in self.weights})

    def use_answers(self, answers: KnownAnswers) -> None:
        """Take answers as an oracle with a weight of its own (Lamiroy & Sun 2013, §5.1)."""
        loaded = self.loaded
        if loaded is None or not len(answers):
            return

        def done(found: Loaded) -> None:
            if loaded.table is not found.table:
                return  # other votes are open meanwhile
            kept = {name: self.weights.get(name, 1.0) for name in (*found.columns, *found.virtual)}
            self.loaded = found
            self.set_weights(kept)

        self._reading.start(lambda progress: load(loaded.table, progress, answers), done=done)

    def trust_truth(self) -> None:
        """The oracle alone counts: ordinary precision and recall."""
        if self.oracle is not None:
            self.set_weights({name: float(name == self.oracle) for name in self.weights})

    def set_method(self, name: str) -> None:
        """Look at the figures of another method, whatever is recommended."""
        known, self._own_choice = self._own_choice, True
        if name != self.method or not known:
            self.method = name
            self.method_changed.emit()

    def offer_all(self) -> None:
        """Offer all methods from now on."""
        self.offers_all = True
        self.method_changed.emit()

    @property
    def chosen_method(self) -> str | None:
        """The method that the user chose; None where what is recommended is followed."""
        return self.method if self._own_choice else None

    def follow_advice(self) -> None:
        """Look at what is recommended, from now on."""
        self._own_choice = False
        advice = self.advice
        name = advice.method if advice else BY_WEIGHTS
        if name != self.method:
            self.method = name
            self.method_changed.emit()

    def set_answered(self, answered: MethodResult | None) -> None:
        """Take what follows from the answers so far; None without enough of them."""
        if answered is self.answered:
            return
        self.answered = answered
        self.answered_changed.emit()
        self._find_method()

    def set_group_by(self, factor: str | None) -> None:
        """Compare the systems of each value of a factor among themselves, too."""
        if factor != self.group_by:
            self.group_by = factor
            self.method_changed.emit()
            self._compare()

    def choose_system(self, system: int | None) -> None:
        """Look at one system."""
        if system != self.system:
            self.system = system
            self.chosen_changed.emit()

    def choose_item(self, item: int | None) -> None:
        """Look at one item."""
        if item != self.item:
            self.item = item
            self.chosen_changed.emit()

    def _weigh(self) -> None:
        loaded, weights = self.loaded, self.voting_weights
        assert loaded is not None and weights is not None  # weights are of its columns
        systems = range(loaded.systems)
        error = loaded.shared_error
        self.by_weights = estimate_by_weights(loaded.gram, weights, 1.0, systems, error)

    def _compare(self) -> None:
        loaded, group_by = self.loaded, self.group_by
        if loaded is None:
            return
        table = loaded.table

        def work(progress: Progress) -> SystemComparison:
            return compare_systems(table, group_by=group_by, progress=progress)

        self._comparing.start(work, done=self._compared)

    def _compared(self, comparison: SystemComparison) -> None:
        self.comparison = comparison
        self.comparison_changed.emit()
        self._find_method()

    def _find_method(self) -> None:
        """Follow what is recommended, unless the user chose something that is there."""
        gone = self.method != BY_WEIGHTS and self.result(self.method) is None and self.comparison
        if gone or not self._own_choice:
            self.follow_advice()
