"""The result of an evaluation: figures, errors, spots in columns, and all that may surprise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.errors import counted
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.rows.json_values import attributes
from spotlab.formats.rows.reading import left_out
from spotlab.measures.confusion import Confusion, LabelAreas, confuse, regions_under
from spotlab.measures.cuts import CutRun
from spotlab.measures.figures import RunFigures, figures_by_page
from spotlab.measures.intervals import PRIMARY, Design, Difference, Interval, Over
from spotlab.measures.matching import ERROR_KINDS, Errors, iou_with
from spotlab.measures.measure import MeasureSettings, known_figures
from spotlab.measures.significance import compact_letters, symmetric
from spotlab.measures.tally import Tally
from spotlab.measures.tide import TideErrors, tide_errors
from spotlab.model.region import Primitive
from spotlab.model.run import QueryModel, Run, Truth
from spotlab.representation import short_repr
from spotlab.studies.compare.comparison import RunComparison, compare_two_runs
from spotlab.studies.evaluate.cuts import CutRule, best_thresholds
from spotlab.studies.tally.label_areas import label_areas
from spotlab.studies.tally.outlines import (
    OffPage,
    TruthNotes,
    ignored_regions_remark,
    ignored_remarks,
    some,
    spot_places,
)
from spotlab.studies.tally.tallying import (
    ModelHandling,
    common_models,
    common_truths,
    figures_without,
)
from spotlab.studies.tally.truth import TruthSet

FEW, SOME = 3, 2  # runs that are all shown in full; those that are of more
SPOT_COLUMNS = (
    "run", "query", "page", "rank", "score", "kind", "region", "label", "iou", "area", "own_share",
    "other_share", "no_truth_share",
)  # fmt: skip


def spot_columns(name: str, errors: Errors, areas: LabelAreas) -> dict[str, list[Any]]:
    """All spots of a run that were evaluated.

    Parameters
    ----------
    name : str
        Of the run.
    errors : Errors
        The kinds of its N spots.
    areas : LabelAreas
        What they lie on.

    Returns
    -------
    dict of str to list
        The columns of `SPOT_COLUMNS`, N rows in order of query and rank: kind of error; id, label
        and IoU of the region that the spot is judged by or, if it is false, lies on; its area in
        px²; the shares of it on truth of its query, of other labels, and on none. None where
        undefined.
    """
    tally, region = errors.tally, regions_under(errors)
    on_one = region >= 0
    ids: list[str | None] = np.array([*tally.region_id, None], np.object_)[region].tolist()
    labels = np.array([*tally.queries, ""], np.object_)  # -1 takes the last
    under = labels[np.append(tally.region_query, -1)[region]]
    label = [name if on else None for name, on in zip(under.tolist(), on_one.tolist(), strict=True)]
    columns = (
        [name] * len(tally),
        _names(tally.queries, tally.query),
        _names(tally.pages, tally.page),
        tally.rank.tolist(),
        _numbers(tally.score),
        _names([str(kind) for kind in ERROR_KINDS], errors.kind),
        ids,
        label,
        _numbers(np.where(on_one, iou_with(tally, region), np.nan)),
        tally.area.tolist(),
        *(_numbers(shares) for shares in areas.shares.T),
    )
    return dict(zip(SPOT_COLUMNS, columns, strict=True))


def _names(names: Sequence[str], number: NDArray[Any]) -> list[str]:
    found: list[str] = np.array(names, np.object_)[number].tolist() if len(number) else []
    return found


def _numbers(values: Floats) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]


@dataclass(frozen=True)
class LeftOut:
    """Spots of a run on a page that is not evaluated.

    Attributes
    ----------
    page : str
        As the run names it.
    reason : str
        Why, for a person.
    spots : int
        How many.
    """

    page: str
    reason: str
    spots: int


@dataclass(frozen=True, eq=False)
class RunEvaluation:
    """All that is known of one run.

    Attributes
    ----------
    name : str
        Differs from the names of all other runs here.
    run, tally, figures, errors
    intervals : mapping of {"queries", "pages"} to mapping of str to Interval or None
        By figure: of its mean over queries, had others of these been drawn. Empty without draws.
    bad_lines : tuple of BadLine
        What could not be read; nothing of it is evaluated.
    left_out : tuple of LeftOut
        Spots on pages that are unknown or have no truth.
    unknown_queries : mapping of str to int
        How many spots each query has that no truth region is labelled with. No mean or sum has
        them; `RunFigures.outside` says what they retrieve.
    unsearched : tuple of str
        Labels of the truth for which the run has no spot; their recall is 0, their precision
        undefined.
    without_area, crossing : (n,) int
        Spots (their places in the run) that enclose nothing; whose outline crosses itself or winds
        around some place more than once, so that its area depends on the even-odd rule.
    off_page : OffPage
        Spots (their places in the run) that leave their page; only what lies on it counts.
    tied : int
        Evaluated spots whose place in the ranking is only that of the file.
    double_share : float or None
        Summed area of the evaluated spots over the area they cover, each query by itself: 1 where
        nothing is found twice. None where no area is covered.
    read_remarks : tuple of str
        What reading the run said besides.
    models : mapping of str to tuple of QueryModel
        What the run says its queries were taken from, by page of the truth.
    with_models : RunFigures or None
        The figures that count these models and the spots on them; None where ``figures`` does.
    colour, dash
        Of its curves, where somebody has chosen them, see `spotlab.report.colours.RunStyle`; an
        empty colour leaves them to its place among the runs.
    ties : {"file", "pages"}
        Order of spots with the same score: that of the file, or page by page.
    """

    name: str
    run: Run
    tally: Tally
    figures: RunFigures
    errors: Errors
    intervals: Mapping[Over, Mapping[str, Interval | None]]
    bad_lines: tuple[BadLine, ...]
    left_out: tuple[LeftOut, ...]
    unknown_queries: Mapping[str, int]
    unsearched: tuple[str, ...]
    without_area: Ints
    crossing: Ints
    off_page: OffPage
    tied: int
    double_share: float | None
    read_remarks: tuple[str, ...] = ()
    colour: str = ""
    dash: tuple[float, ...] = ()
    models: Mapping[str, tuple[QueryModel, ...]] = field(default_factory=dict)
    with_models: RunFigures | None = None
    ties: str = "file"

    __repr__ = short_repr

    def intervals_of(self, design: Design | None) -> Mapping[str, Interval | None]:
        """Intervals over the units of a comparison, by figure; empty where there are none."""
        return self.intervals.get(design.over, {}) if design else {}

    @cached_property
    def tide(self) -> TideErrors:
        """The errors of TIDE, and what average precision would gain without each kind."""
        return tide_errors(self.tally, self.figures.settings.iou)

    @property
    def ignored_models(self) -> Mapping[str, tuple[QueryModel, ...]]:
        """The models that ``figures`` leaves out, by page."""
        return {} if self.with_models is None else self.models

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on the run, a line each."""
        return _run_remarks(self)

    @property
    def listed(self) -> tuple[str, ...]:
        """Everything that was left out or may surprise, a line each, nothing shortened."""
        return _run_listed(self)


def run_called(runs: Sequence[tuple[str, Run]], wanted: object, setting: str) -> str:
    """The name of the run that is called so, or was read from this file.

    Raises
    ------
    ValueError
        There is none, or there are several.
    """
    given = None if wanted is None else str(wanted)
    found = [name for name, _ in runs if name == given]
    if not found and given is not None:
        path = Path(given)
        found = [name for name, run in runs if run.source is not None and (
            run.source == path or run.source.absolute() == path.absolute())]  # fmt: skip
    if len(found) != 1:
        known = ", ".join(name for name, _ in runs)
        raise ValueError(f"`{setting}` names {given}; expected one of the runs {known}")
    return found[0]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Runs against the same truth, under the same settings.

    Attributes
    ----------
    settings : MeasureSettings
    primitive : Primitive or None
        What all outlines were turned into; None where they are taken as they are.
    truth_set : TruthSet
    runs : tuple of RunEvaluation
        In the order they were given.
    comparisons : mapping of (str, str) to mapping of str to Difference or None
        For each two runs by name, the first given first: by figure, second minus first.
    design : Design or None
        What is tested of them; None without draws.
    truth_notes : TruthNotes
        How many regions the truth has, and which of them may surprise.
    draws, seed : int
        Of the randomisation test.
    models : {"ignore", "count"}
        What became of the regions that queries were taken from.
    cut : CutRule or None
        By which runs are cut for figures beside those of their whole lists.
    pair : (str, str) or None
        The names of two runs to compare in full, from the first to the second.
    chosen : tuple of str
        The names of runs to show in full; see `in_full`.
    primary : str
        Name of the figure that is tested where anything is.
    """

    settings: MeasureSettings
    primitive: Primitive | None
    truth_set: TruthSet
    runs: tuple[RunEvaluation, ...]
    comparisons: Mapping[tuple[str, str], Mapping[str, Difference | None]] = field(
        default_factory=dict
    )
    design: Design | None = None
    truth_notes: TruthNotes = field(default_factory=TruthNotes)
    draws: int = 0
    seed: int = 0
    models: ModelHandling = "ignore"
    cut: CutRule | None = None
    pair: tuple[str, str] | None = None
    chosen: tuple[str, ...] = ()
    primary: str = PRIMARY

    __repr__ = short_repr

    @cached_property
    def in_full(self) -> tuple[RunEvaluation, ...]:
        """The runs that are shown in full: those chosen, else all of a few, else the two best."""
        if self.chosen:
            return tuple(run for run in self.runs if run.name in self.chosen)
        if len(self.runs) <= FEW:
            return self.runs
        sign = next(each.better for each in known_figures() if each.name == self.primary)
        values = [run.figures.overall[self.primary] for run in self.runs]
        known = [-math.inf if value is None else sign * value for value in values]
        best = np.argsort(-np.array(known), kind="stable")[:SOME]
        return tuple(self.runs[at] for at in sorted(best.tolist()))

    @cached_property
    def in_short(self) -> tuple[RunEvaluation, ...]:
        """The other runs."""
        return tuple(run for run in self.runs if run not in self.in_full)

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """Compact letters of the runs by the tested figure; empty where nothing is tested.

        Runs that share a letter do not differ significantly.
        """
        if self.design is None or not self.design.tests:
            return ()
        name = self.design.primary
        sign = next(each.better for each in known_figures() if each.name == name)
        means = [run.figures.mean[name] for run in self.runs]
        values = [math.nan if value is None else sign * value for value in means]
        return tuple(compact_letters(np.array(values), self.p_of_pairs))

    @property
    def ranks(self) -> tuple[float, ...]:
        """Mean rank of each run by the tested figure; empty where nothing is tested."""
        ranks = self.design.ranks if self.design else ()
        return ranks if len(ranks) == len(self.runs) else ()

    @cached_property
    def p_of_pairs(self) -> Floats:
        """(K, K) corrected significance of each two runs, symmetric; NaN where it is not tested."""
        place = {run.name: at for at, run in enumerate(self.runs)}
        pairs = self.comparisons.items()
        tested = {(place[a], place[b]): each.get(self.primary) for (a, b), each in pairs}
        p = {at: None if each is None else each.p_holm for at, each in tested.items()}
        return symmetric(p, len(place))

    @cached_property
    def compared(self) -> RunComparison | None:
        """All that changes between the two runs of ``pair``, or between the only two runs."""
        names = self.pair or tuple(run.name for run in self.runs)
        if len(names) != 2:
            return None
        by_name = {run.name: run for run in self.runs}
        runs = [by_name[name] for name in names]
        own = [run.models if self.models == "ignore" else {} for run in runs]
        common = common_models(*own)
        figures = [
            figures_without(run.figures, models, common, self.truths, self.primitive)
            for run, models in zip(runs, own, strict=True)
        ]
        first, second = (
            CutRun(run.name, of_run, np.diff(of_run.tally.starts))
            for run, of_run in zip(runs, figures, strict=True)
        )
        return compare_two_runs(first, second, common_truths(self.truths, common), self.primitive)

    @property
    def truths(self) -> Mapping[str, Truth]:
        """The truth by page name."""
        return self.truth_set.truths

    def confusion(self, run: RunEvaluation) -> Confusion:
        """Labels that the spots of a run lie on, by query; pages are measured once."""
        areas = label_areas(run.tally, self.truths, self.primitive)
        return confuse(run.errors, areas, self.settings.overlap)

    def confusion_by_spots(self, run: RunEvaluation) -> Confusion:
        """The same by numbers of spots only: nothing is measured for it."""
        return confuse(run.errors, None, self.settings.overlap)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on the truth, a line each."""
        return _truth_remarks(self)


def _run_remarks(run: RunEvaluation) -> tuple[str, ...]:
    """Remarks on a run, a line each."""
    ignored = ignored_remarks(run.tally, run.errors, run.figures, run.models, run.with_models)
    return (*run.read_remarks, *_remarks(run), *ignored)


def _remarks(run: RunEvaluation) -> Iterator[str]:
    yield from left_out(list(map(str, run.bad_lines)))
    if run.left_out:
        spots = counted(sum(each.spots for each in run.left_out), "spot")
        pages = some(f"{each.page} ({each.spots:,})" for each in run.left_out)
        yield f"{spots} left out, on pages without truth: {pages}"
    if run.unknown_queries:
        names = some(f"{name} ({spots:,})" for name, spots in run.unknown_queries.items())
        yield (
            f"{counted(len(run.unknown_queries), 'query')} with spots but without truth, "
            f"left out of the means: {names}"
        )
    if run.unsearched:
        yield (
            f"{counted(len(run.unsearched), 'query')} of the truth without spots, "
            f"recall 0: {some(run.unsearched)}"
        )
    if len(run.without_area):
        places = some(spot_places(run.run, run.without_area))
        yield f"{counted(len(run.without_area), 'spot')} without area: {places}"
    if len(run.crossing):
        places = some(spot_places(run.run, run.crossing))
        yield (
            f"{counted(len(run.crossing), 'spot')} with a crossing outline, "
            f"taken by the even-odd rule: {places}"
        )
    for beyond, what in (
        (run.off_page.partly, "partly off the page; only what lies on it counts"),
        (run.off_page.wholly, "wholly off the page; nothing of them counts"),
    ):
        if len(beyond):
            yield f"{counted(len(beyond), 'spot')} {what}: {some(spot_places(run.run, beyond))}"
    if run.tied:
        yield (
            f"{counted(run.tied, 'spot')} with the same rank or score as another spot of "
            "the query; "
            f"ranked in the file's order{', page by page' if run.ties == 'pages' else ''}"
        )
    if run.double_share is not None and run.double_share > 1 + 1e-9:
        yield (
            f"spots add up to {run.double_share:.3f} times the area that they cover: "
            "some area is retrieved repeatedly"
        )


def _run_listed(run: RunEvaluation) -> tuple[str, ...]:
    """Everything that was left out or may surprise, a line each, nothing shortened."""
    found = [str(bad) for bad in run.bad_lines]
    found += [
        f"page {each.page}: {counted(each.spots, 'spot')} left out, {each.reason}"
        for each in run.left_out
    ]
    found += [
        f"query {name}: {counted(spots, 'spot')}, no truth"
        for name, spots in run.unknown_queries.items()
    ]
    found += [f"query {name}: no spots" for name in run.unsearched]
    found += [f"{place}: a spot without area" for place in spot_places(run.run, run.without_area)]
    found += [f"{place}: a self-crossing outline" for place in spot_places(run.run, run.crossing)]
    for how, spots in (("partly", run.off_page.partly), ("wholly", run.off_page.wholly)):
        found += [f"{place}: a spot {how} off the page" for place in spot_places(run.run, spots)]
    return tuple(found)


def _truth_remarks(evaluation: Evaluation) -> tuple[str, ...]:
    """Remarks on the truth, a line each."""
    notes = evaluation.truth_notes
    found = [*evaluation.truth_set.remarks, *ignored_regions_remark(notes)]
    outside, inside = len(evaluation.truth_set.outside), len(evaluation.truths)
    if outside:
        every = inside + outside
        found.insert(0, f"a subset: {inside:,} of {every:,} pages with truth are evaluated")
    without = evaluation.truth_set.without_truth
    if without:
        pages = counted(len(without), "page")
        found.append(f"{pages} without a truth file, not evaluated: {some(without)}")
    for flawed, what in (
        (notes.without_area, "without area, which cannot be retrieved"),
        (notes.crossing, "with a self-crossing outline, filled by the even-odd rule"),
        (notes.without_label, "without label, which belong to no query"),
        (notes.off_page, "beyond the page's edges; only what lies on it counts"),
    ):
        if flawed:
            names = some(f"{each.region} on {each.page}" for each in flawed)
            found.append(f"{counted(len(flawed), 'truth region')} {what}: {names}")
    return tuple(found)


FIGURE_NAMES = tuple(figure.name for figure in known_figures())
COUNTS = frozenset(figure.name for figure in known_figures() if figure.unit == "count")
CURVES = ("precision", "recall", "fall_out", "f", "recognised", "false_positives")


def query_columns(run: RunEvaluation) -> dict[str, list[Any]]:
    """A row for each query of the truth.

    Parameters
    ----------
    run : RunEvaluation
        A run and its figures.
    """
    figures, tally = run.figures, run.tally
    own = figures.in_truth.nonzero()[0]
    spots = tally.starts[1:] - tally.starts[:-1]
    columns: dict[str, list[Any]] = {
        "run": [run.name] * len(own),
        "query": [tally.queries[place] for place in own.tolist()],
        "spots": spots[own].tolist(),
    }
    for name in FIGURE_NAMES:
        values = figures.columns[name][own]
        columns[name] = (values.astype(int) if name in COUNTS else values).tolist()
    return columns


def difference_rows(evaluation: Evaluation) -> Iterator[tuple[Any, ...]]:
    """A row for each two runs and figure: the difference, its interval, p, and p corrected."""
    for pair, differences in evaluation.comparisons.items():
        for name, found in differences.items():
            if found is not None:
                ends = interval_ends(found.interval)
                yield *pair, name, found.value, *ends, found.p, found.p_holm


def threshold_rows(runs: Sequence[RunEvaluation]) -> Iterator[tuple[Any, ...]]:
    """A row for each run and way in which a threshold has the highest F; see `best_thresholds`."""
    for run in runs:
        for of, over, by, found in best_thresholds(run.figures):
            there = found.threshold, found.f, found.precision, found.recall
            others = found.held_out
            yield (
                run.name, of, over, by, *there,
                *((None,) * 3 if others is None else (others.f, *interval_ends(others.interval))),
            )  # fmt: skip


def interval_ends(interval: Interval | None) -> tuple[float | None, float | None]:
    """Both ends of an interval; None each where there is none."""
    return (None, None) if interval is None else (interval.low, interval.high)


def rank_columns(run: RunEvaluation) -> dict[str, list[Any]]:
    """A row for each spot, with what a list that ends there has.

    Parameters
    ----------
    run : RunEvaluation
        A run and its figures.
    """
    tally, figures = run.tally, run.figures
    return {
        "run": [run.name] * len(tally),
        "query": [tally.queries[place] for place in tally.query.tolist()],
        "page": [tally.pages[place] for place in tally.page.tolist()],
        "rank": tally.rank.tolist(),
        "score": tally.score.tolist(),
        **{name: values.tolist() for name, values in attributes(figures, *CURVES).items()},
    }


def page_columns(run: RunEvaluation) -> dict[str, list[Any]]:
    """A row for each page.

    Parameters
    ----------
    run : RunEvaluation
        A run and its figures.
    """
    return {
        "run": [run.name] * len(run.tally.pages),
        "page": list(run.tally.pages),
        **{name: each.tolist() for name, each in figures_by_page(run.figures).items()},
    }


def spot_table(evaluation: Evaluation) -> dict[str, list[Any]]:
    """A row for each spot of each run, with its kind of error and what it lies on.

    Parameters
    ----------
    evaluation : Evaluation
        All runs.
    """
    found: dict[str, list[Any]] = {name: [] for name in SPOT_COLUMNS}
    for run in evaluation.runs:
        areas = evaluation.confusion(run).areas
        assert areas is not None  # an evaluation measures them
        for name, values in spot_columns(run.name, run.errors, areas).items():
            found[name] += values
    return found


def primary_of(name: str) -> str:
    """Check that there is such a figure, and that it is better high or low.

    Parameters
    ----------
    name : str
        Name of a figure.

    Returns
    -------
    str
        The same name.

    Raises
    ------
    ValueError
        There is no such figure, or it has no better direction.

    Examples
    --------
    >>> primary_of("f")
    'f'
    """
    names = [figure.name for figure in known_figures() if figure.better]
    if name not in names:
        expected = ", ".join(names)
        raise ValueError(f"the primary figure is {name!r}, expected one of {expected}")
    return name
