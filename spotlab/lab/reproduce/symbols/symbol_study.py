"""The study of Rusiñol & Lladós (§5): spotting methods on one collection, end to end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path

import numpy as np

import spotlab.lab.draw
from spotlab.errors import SpotlabError
from spotlab.files import exists
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.collection.label_file import write_labels
from spotlab.formats.runs.format import ReadRun
from spotlab.formats.store import code_digest, key_of
from spotlab.lab.draw.collection import prepare, write_pages
from spotlab.lab.draw.floorplans import labels, page_name, write_page
from spotlab.lab.draw.plans.options import PAPER, FloorPlanOptions
from spotlab.lab.reproduce.symbols.descriptor_invariance import (
    DescriptorInvariance,
    DescriptorShift,
    measure_invariance,
)
from spotlab.lab.reproduce.symbols.symbol_published import (
    BEST_F,
    EARLY,
    METHODS,
    OTHERS,
    OWN,
    OWN_STATEMENTS,
    STATEMENTS,
    CheckedStatement,
    Statement,
    check_statement,
)
from spotlab.lab.reproduce.symbols.symbol_robustness import (
    Robustness,
    RobustnessCurve,
    measure_robustness,
)
from spotlab.measures.matching import NEVER
from spotlab.model import Truth
from spotlab.progress import Progress, silent
from spotlab.report.charts import Chart, ChartLine, LinePlot
from spotlab.report.colours import run_colour
from spotlab.report.figure_text import UNDEFINED
from spotlab.report.studies.study import StudySection
from spotlab.report.tables import Cell, Column, Table
from spotlab.representation import short_repr
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.symbols.engine.method import SymbolSettings
from spotlab.spotting.symbols.methods import spotting_method_of
from spotlab.spotting.symbols.search.symbol_search import search_symbols
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation
from spotlab.studies.evaluate.scalability import RunScalability, Scalability, measure_scalability
from spotlab.studies.symbols.symbol_queries import PlacedModel, crop_models
from spotlab.studies.tally.truth import TruthSet, match_pages

EARLY_RECALL = np.array([0.05])
RECALLS = np.arange(1, 101) / 100
SHARES = (
    "average_precision_hits",
    "f",
    "area_precision",
    "area_recall",
    "fall_out",
    "generality",
    "iou_precision",
)
COUNTS = ("recognition_rate", "false_positives")  # as they are: in percent, and a number


@dataclass(frozen=True, eq=False)
class SymbolStudy:
    """The figures of all methods, and what they say about the paper's claims.

    Attributes
    ----------
    models : tuple of PlacedModel
        Of each class.
    titles : mapping of str to str
        What each method is called, by its name.
    evaluation : Evaluation
        A run for each method, by its name.
    scalability : Scalability
    """

    models: tuple[PlacedModel, ...]
    titles: Mapping[str, str]
    evaluation: Evaluation
    scalability: Scalability

    __repr__ = short_repr

    @property
    def methods(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.titles)

    def run(self, method: str) -> RunEvaluation:
        """The evaluation of a method's run."""
        return self.evaluation.runs[self.methods.index(method)]

    @cached_property
    def figures(self) -> dict[str, dict[str, float | None]]:
        """Figures by name and method, in the paper's units: shares in percent."""
        figures: dict[str, dict[str, float | None]] = {}
        for name, run, scaled in zip(
            self.methods, self.evaluation.runs, self.scalability.runs, strict=True
        ):
            early = run.figures.curves.central("precision", EARLY_RECALL).mean[0]
            values = {
                **{figure: _percent(run.figures.mean[figure]) for figure in SHARES},
                **{figure: run.figures.mean[figure] for figure in COUNTS},
                EARLY: None if np.isnan(early) else 100 * float(early),
                BEST_F: _percent(highest_mean_f(run)),
                OTHERS: self._recognised_others(run),
                **_deviations(scaled),
                **_growth(scaled),
            }
            for figure, value in values.items():
                figures.setdefault(figure, {})[name] = value
        return figures

    @cached_property
    def claims(self) -> tuple[CheckedStatement, ...]:
        """The paper's statements about the methods studied here, checked against the figures."""
        return self._checked(STATEMENTS)

    @cached_property
    def own_claims(self) -> tuple[CheckedStatement, ...]:
        """Statements that spotlab's own method is better than the paper's, checked."""
        return self._checked(OWN_STATEMENTS)

    def _recognised_others(self, run: RunEvaluation) -> float | None:
        """The recognition rate of symbols that no model is cropped from, as a mean over classes."""
        tally = run.tally
        of_models = {
            (model.page, region.id)
            for model in self.models
            for region in self.evaluation.truths[model.page].regions
            if region.label == model.name and np.array_equal(region.array, model.place)
        }
        pages = [tally.pages[page] for page in tally.region_page.tolist()]
        is_other = np.array(
            [place not in of_models for place in zip(pages, tally.region_id, strict=True)], np.bool_
        )
        is_found = run.figures.recognition_rank < NEVER
        rates = [
            float(is_found[own].mean())
            for query in range(len(tally.queries))
            if (own := is_other & (tally.region_query == query)).any()
        ]
        return 100 * float(np.mean(rates)) if rates else None

    def _checked(self, statements: Sequence[Statement]) -> tuple[CheckedStatement, ...]:
        held = (check_statement(statement, self.figures) for statement in statements)
        return tuple(claim for claim in held if claim is not None)

    @cached_property
    def collection(self) -> dict[str, float]:
        """Numbers of pages, classes and symbols, as §5.3 gives them."""
        truths = list(self.evaluation.truths.values())
        symbols = [len(truth.regions) for truth in truths]
        return {
            "pages": len(truths),
            "width": float(np.mean([truth.page.width for truth in truths])),
            "height": float(np.mean([truth.page.height for truth in truths])),
            "classes": len(self.classes),
            "symbols": sum(symbols),
            "fewest": min(symbols),
            "most": max(symbols),
        }

    @cached_property
    def classes(self) -> dict[str, tuple[int, int]]:
        """Number of symbols of each class, and of pages that have one."""
        pages_of: dict[str, list[str]] = {}
        for page, truth in self.evaluation.truths.items():
            for region in truth.regions:
                pages_of.setdefault(region.label, []).append(page)
        return {label: (len(on), len(set(on))) for label, on in sorted(pages_of.items())}


def study_symbols(
    pages: Sequence[Path | PageEntry],
    truth_set: TruthSet,
    names: Sequence[str] = (*METHODS, OWN),
    *,
    settings: SymbolSettings | None = None,
    per_label: int = 1,
    seed: int = 0,
    draws: int = 100,
    max_spots: int | None = None,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> SymbolStudy:
    """Spot all classes of a collection with some methods, and evaluate that as the paper does.

    Each class is searched on all pages by models that are cropped from them (§5.3): regions whose
    size is nearest to the class's median. The places that they are from are not left out.

    Parameters
    ----------
    pages : sequence of Path or PageEntry
    truth_set : TruthSet
        Pages that are not searched take no part.
    names : sequence of str
        Methods.
    settings : SymbolSettings, optional
        How features are extracted from pages.
    per_label : int
        Number of models of each class, at most.
    seed : int
        Of what is drawn: classes for scalability, and the test of differences.
    draws : int
        For scalability.
    max_spots, cache, jobs, cluster
        As for `search_symbols`; features and spots are kept in the cache, so that a study that was
        cancelled goes on.

    Raises
    ------
    SpotlabError
        There is no such method, no symbol with a label on these pages, or a page cannot be read.
    Cancelled
        From ``progress``.
    """
    names = tuple(dict.fromkeys(names))
    titles = {name: spotting_method_of(name).title for name in names}
    entries = page_entries(pages)
    truth_set = _of_pages(truth_set, entries)
    models = crop_models(
        entries, per_label=per_label, settings=settings, truths=truth_set.truths, progress=progress
    )
    runs = []
    for name in names:
        search = search_symbols(
            entries, models, name, settings,
            cache=cache, jobs=jobs, cluster=cluster, max_spots=max_spots, progress=progress,
        )  # fmt: skip
        for page in search.left_out:  # its symbols would count as missed
            raise SpotlabError(f"the page {page.page!r} cannot be searched: {page.problem}")
        runs.append(ReadRun(replace(search.run, name=name)))
    evaluation = evaluate(
        truth_set,
        runs,
        primary="f",
        seed=seed,
        jobs=jobs,
        cluster=cluster,
        cache=cache,
        progress=progress,
    )
    scalability = measure_scalability(
        names, [run.figures for run in evaluation.runs], draws=draws, seed=seed, progress=progress
    )
    return SymbolStudy(tuple(models), titles, evaluation, scalability)


def _of_pages(truth_set: TruthSet, entries: Sequence[PageEntry]) -> TruthSet:
    """The truth of these pages, in their order."""
    matched = match_pages([entry.name for entry in entries], truth_set)
    truths: dict[str, Truth] = {}
    for entry in entries:
        name = matched[entry.name]
        if name is None:
            raise SpotlabError(f"the page {entry.name!r} has no truth")
        truths[name] = truth_set.truths[name]
    if not any(region.label for truth in truths.values() for region in truth.regions):
        raise SpotlabError("there is no symbol with a label on these pages")
    return replace(truth_set, truths=truths, without_truth=())


def highest_mean_f(run: RunEvaluation) -> float | None:
    """The highest point of the mean F(r) curve (Fig. 8a): F with the list cut at the best recall.

    None where no query has truth.
    """
    curve = run.figures.curves.central("f", RECALLS).mean
    known = curve[~np.isnan(curve)]
    return float(known.max()) if len(known) else None


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _deviations(run: RunScalability) -> dict[str, float | None]:
    """Table 3, in percent."""
    families = {"recall": run.recall, "precision": run.precision, "f": run.f}
    means = {f"{name}_mean": _percent(family.mean_deviation) for name, family in families.items()}
    largest = {
        f"{name}_maximum": _percent(family.largest_deviation) for name, family in families.items()
    }
    return means | largest


def _growth(run: RunScalability) -> dict[str, float | None]:
    """Tell how far recognition rates of growing parts differ, and how false positives grow
    (Fig. 10).
    """
    rates = [size.recognition_rate for size in run.sizes]
    known = [rate for rate in rates if rate is not None]
    false = [size.false_positives for size in run.sizes]
    pages = [size.pages for size in run.sizes]
    some = all(value > 0 for value in false[:-1])
    steps = [after / before for before, after in pairwise(false)] if some else []
    excess = false[-1] / false[0] / (pages[-1] / pages[0]) if some else None
    return {
        "recognition_range": max(known) - min(known) if len(known) == len(rates) else None,
        "false_positive_growth": min(steps) if steps else None,
        "false_positive_excess": excess,
    }


PAGES = 42  # as there, §5.3
SEED = 102  # 344 symbols, and every class on three pages or more


def drawn_pages(
    cache: Path,
    count: int = PAGES,
    seed: int = SEED,
    options: FloorPlanOptions = PAPER,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> list[Path]:
    """Draw floor plans with their truth beside them; those that are there already are kept.

    Parameters
    ----------
    cache : Path
        Folder for their folder, whose name depends on all that their content depends on.
    count : int
        Number of pages.
    seed : int
    options : FloorPlanOptions
    jobs : int
        Number of worker processes; 0 means one per CPU core.

    Returns
    -------
    list of Path
        The images.

    Raises
    ------
    SpotlabError
        The number of pages, seed or jobs makes no sense.
    NotSaved
        They cannot be written.
    Cancelled
        From ``progress``; pages that are drawn stay.
    """
    key = key_of(_drawing_version(), repr(options), str(seed))
    folder = cache / f"floorplans-{key[:16]}"
    images = [folder / f"{page_name(number)}.png" for number in range(count)]
    # a page's truth is written before its image
    missing = [number for number, image in enumerate(images) if not exists(image)]
    if missing:
        prepare(folder, (), count, seed, jobs)
        write_labels(folder, labels(options))
        work = partial(_write_one, missing, folder, seed, options)
        write_pages(work, len(missing), jobs, progress, "drawing floor plans")
    return images


def _write_one(
    missing: list[int], folder: Path, seed: int, options: FloorPlanOptions, place: int
) -> int:
    return write_page(missing[place], folder, seed, options)


def _drawing_version() -> str:
    """Changes with the code that draws."""
    own = Path(spotlab.lab.draw.__file__).parent
    return code_digest(sorted(own.rglob("*.py")))


TOUCHING = (0.0, 0.5, 1.0)  # share of the symbols whose ink touches a wall

MOVED = {
    "median": (
        "moved",
        "Median displacement of the contours in descriptor space, in units of the radius",
    ),
    "within": ("within (%)", "Share of contours displaced by no more than the radius"),
    "nearest": (
        "nearest (%)",
        "Share of contours whose nearest contour is the same one, or one of the same shape",
    ),
}


def further_sections(
    methods: Sequence[str],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> list[StudySection]:
    """All of them, each measured on little: the studies themselves take more.

    Raises
    ------
    Cancelled
        From ``progress``.
    """
    return [
        invariance_section(measure_invariance(progress=progress)),
        robustness_section(
            measure_robustness(
                1, (SEED,), methods, progress, touching=TOUCHING, jobs=jobs, cluster=cluster
            )
        ),
    ]


def invariance_section(found: DescriptorInvariance) -> StudySection:
    """Tell how far descriptors move when symbols are turned, scaled, mirrored or drawn badly."""
    false = ", ".join(f"{name} {share:.1f}" for name, share in found.false.items())
    return StudySection(
        "Invariance of the descriptors",
        [
            f"{found.drawings:,} drawings with {found.contours:,} contours are drawn anew for each "
            "change, as strokes on pixels, and described again. Left is the share of contours "
            "that the change itself neither opens nor closes; the rest is of these. Of 100 "
            f"contours of another shape, within the radius of one are: {false}."
        ],
        {"invariance": invariance_table(found)},
        {},
    )


def invariance_table(found: DescriptorInvariance) -> Table:
    """A row a change; for each descriptor how far, within its radius, and nearest."""
    names = list(found.false)
    columns = [Column("Change", "change"), Column("Left (%)", "left")]
    for name in names:
        columns += [
            Column(f"{name}: {title}", f"{name}_{key}", definition)
            for key, (title, definition) in MOVED.items()
        ]
    rows = []
    for first in found.rows[:: max(len(names), 1)]:
        place = (first.change, first.amount)
        same = [row for row in found.rows if (row.change, row.amount) == place]
        rows.append((Cell(" ".join(place)), _share(first.left), *_moved(same)))
    return Table("Descriptors after each change of a symbol", tuple(columns), tuple(rows))


DAMAGES = {
    "gaps": "Gaps in strokes per 1,000 px",
    "touching": "Share of the symbols that touch a wall",
}


def robustness_section(found: Robustness) -> StudySection:
    """Recall over broken strokes and wall contact, plain beside mended."""
    return StudySection(
        "Broken strokes and walls",
        [
            f"{found.pages:,} floor plan{'' if found.pages == 1 else 's'}, drawn with ever more "
            "damage. Recall is the share of symbols that a spot of their class overlaps by half "
            "(IoU). Dashed: closed contours as they are drawn; lines: broken strokes are bridged, "
            "and what touches walls is parted from them."
        ],
        {"robustness": robustness_table(found)},
        {"robustness-curves": robustness_curves(found)},
    )


def robustness_table(found: Robustness) -> Table:
    """A row for each kind and amount of damage; for each method plain and mended recall."""
    columns = [Column("Damage", "damage"), Column("Amount", "amount")]
    for name in found.titles:
        columns += [
            Column(f"{name}: not repaired (%)", f"{name}_plain"),
            Column(f"{name}: repaired (%)", f"{name}_mended"),
        ]
    rows = []
    for damage in DAMAGES:
        curves = {(each.method, each.mended): each for each in _of(found, damage)}
        amounts = next(iter(curves.values())).amounts if curves else ()
        for place, amount in enumerate(amounts):
            values = (curves[name, mended] for name in found.titles for mended in (False, True))
            cells = [_share(each.recall[place]) for each in values]
            rows.append((Cell(damage), Cell(f"{amount:g}", amount), *cells))
    return Table("Recall on damaged floor plans", tuple(columns), tuple(rows))


def robustness_curves(found: Robustness) -> Chart:
    """Recall over each kind of damage, a colour a method."""
    plots = []
    for damage, title in DAMAGES.items():
        lines = [_recall_line(found, each) for each in _of(found, damage)]
        amounts = np.unique(np.concatenate([np.zeros(0), *(line.x for line in lines)]))
        plots.append(LinePlot("Recall", title, amounts, lines))
    return Chart(plots, 2, (4.9, 3.5))


def _recall_line(found: Robustness, each: RobustnessCurve) -> ChartLine:
    recall = np.array([np.nan if value is None else value for value in each.recall])
    return ChartLine(
        each.method if each.mended else f"{each.method}, not repaired",
        run_colour(list(found.titles).index(each.method)),
        recall,
        np.asarray(each.amounts, np.float64),
        link=f"run:{each.method}",
        width=1.8 if each.mended else 1.1,
        dash=() if each.mended else (3.7, 1.6),
    )


def _of(found: Robustness, damage: str) -> list[RobustnessCurve]:
    return [each for each in found.curves if each.damage == damage]


def _moved(rows: Sequence[DescriptorShift]) -> list[Cell]:
    cells = []
    for row in rows:
        cells += [_number(row.median), _share(row.within), _share(row.nearest)]
    return cells


def _share(value: float | None) -> Cell:
    return Cell(UNDEFINED) if value is None else Cell(f"{100 * value:.1f}", 100 * value)


def _number(value: float | None) -> Cell:
    return Cell(UNDEFINED) if value is None else Cell(f"{value:.2f}", value)
