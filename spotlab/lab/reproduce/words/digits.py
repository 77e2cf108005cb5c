"""Hast's Table 1: nearest neighbours, consensus ranking and better re-rankings of digits.

Images of each digit fall at random into two halves. Each image of the first is a query that ranks
those of the second by cosine (NN); the list is then re-ranked. Settings are chosen on other draws
than those that are reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, counted
from spotlab.extras import cv2
from spotlab.formats.rows.part_folder import read_npz
from spotlab.progress import Progress, silent
from spotlab.ranking.displacement import mean_average_precision
from spotlab.ranking.fusion import (
    Choices,
    Evidence,
    Fusion,
    ItemScores,
    MatrixScores,
    choose_re_scoring,
    fusions,
)
from spotlab.report.figure_text import aligned
from spotlab.representation import short_repr

# Hast 2020, Table 1: mAP of NN and of CR for the digits 0 to 9, and their means
PAPER_NN = (0.5915, 0.5983, 0.4514, 0.4416, 0.3993, 0.3430, 0.5646, 0.4208, 0.5400, 0.4369)
PAPER_CR = (0.6873, 0.6540, 0.5195, 0.5164, 0.4008, 0.3809, 0.6395, 0.4443, 0.6421, 0.5076)
PAPER_MEAN = (0.4787, 0.5393)


@dataclass(frozen=True, eq=False)
class TriedRanking:
    """A re-ranking that was tried: its name, its settings, and its mAP where these were chosen."""

    name: str
    choices: Choices
    map: float

    @property
    def settings(self) -> str:
        """The settings that matter to it, for people.

        Examples
        --------
        >>> TriedRanking("cr", Choices(top=6), 0.5).settings
        'top 6, at least 0.8, weight 0, iterations 1'
        """
        choices = self.choices
        parts = []
        if self.name in ("cr", "ml_cr", "alpha_qe", "diffusion"):
            parts += [f"top {choices.top}"]
            parts += [f"at least {choices.at_least:g}"] if choices.at_least >= -1 else []
        if self.name in ("cr", "ml_cr"):
            parts += [f"weight {choices.weight:g}", f"iterations {choices.iterations}"]
        for setting in fusions()[self.name].settings:
            name = setting.name.replace("_", " ")
            parts.append(f"{name} {choices.more.get(setting.name, setting.default):g}")
        return ", ".join(parts)


@dataclass(frozen=True)
class DigitRow:
    """One digit, or the mean over all.

    Attributes
    ----------
    digit : int or None
        None for the mean.
    nn, cr_as_paper, cr, best : float
        mAP of nearest neighbours, of consensus ranking with n = 12 and at least .8, of consensus
        ranking with the settings chosen, and of the best re-ranking.
    wrong_as_paper, wrong : float or None
        The mean share of wrong items among those that re-score, of both consensus rankings; None
        where none do.
    paper_nn, paper_cr : float or None
        Hast 2020, Table 1; None for what is not a digit.
    """

    digit: int | None
    nn: float
    cr_as_paper: float
    cr: float
    best: float
    wrong_as_paper: float | None
    wrong: float | None
    paper_nn: float | None
    paper_cr: float | None

    def gain(self, column: str) -> float | None:
        """Tell how much more ``column`` has than NN, as a share of NN.

        None where NN has nothing.
        """
        return float(getattr(self, column)) / self.nn - 1 if self.nn > 0 else None


AS_PAPER = Choices(top=12, at_least=0.8)
_BLURS = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0)  # px
SWEPT = {
    "n 12": AS_PAPER,
    "n 12, twice": Choices(12, 0.8, 0.0, 2),
    "n 20": Choices(20, 0.8, 0.0, 1),
    "n 20, twice": Choices(20, 0.8, 0.0, 2),
    "n 20, .7, twice": Choices(20, 0.7, 0.0, 2),
}
OPEN = (
    "The paper does not say how digits are described, nor whether lists are re-scored again. CR "
    "gains over NN, by blur of the pixels in px (at least .8 where nothing else stands):"
)


@dataclass(frozen=True)
class SweepRow:
    """What consensus ranking gains where the pixels of digits are blurred in one way.

    Attributes
    ----------
    blur : float
        Standard deviation in px.
    nn : float
        mAP of nearest neighbours.
    gains : tuple of float
        By settings of `SWEPT`: how much more consensus ranking has, as a share of that.
    """

    blur: float
    nn: float
    gains: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class DigitStudy:
    """The whole table, and how its settings were chosen.

    Attributes
    ----------
    rows : tuple of DigitRow
        By digit.
    mean : DigitRow
        Over the digits.
    consensus, best : TriedRanking
        The settings of columns ``cr`` and ``best``.
    tried : tuple of TriedRanking
        All that was tried.
    chosen_on, reported_on : tuple of int
        Seeds of the draws.
    each : int
        Queries of a digit in a draw, and items of it that are ranked.
    sweep : tuple of SweepRow
        The same with what the paper leaves open; empty where that was not tried.
    """

    rows: tuple[DigitRow, ...]
    mean: DigitRow
    consensus: TriedRanking
    best: TriedRanking
    tried: tuple[TriedRanking, ...]
    chosen_on: tuple[int, ...]
    reported_on: tuple[int, ...]
    each: int
    sweep: tuple[SweepRow, ...] = ()

    __repr__ = short_repr

    def lines(self) -> list[str]:
        """The table as text, gains in per cent."""
        head = "digit    NN  paper | CR n=12,.8  paper | CR chosen     | best          | wrong"
        lines = [head]
        for row in (*self.rows, self.mean):
            gains = [row.gain(name) for name in ("cr_as_paper", "cr", "best")]
            paper, middle, best = (
                "undefined" if gain is None else f"{gain:+6.1%}" for gain in gains
            )
            name = "mean" if row.digit is None else str(row.digit)
            lines.append(
                f"{name:5} {row.nn:.4f} {_text(row.paper_nn)}"
                f" | {row.cr_as_paper:.4f} {paper} {_text(row.paper_cr)} | {row.cr:.4f} {middle}"
                f" | {row.best:.4f} {best} | {_text(row.wrong_as_paper)} {_text(row.wrong)}"
            )
        if not self.sweep:
            return lines
        swept = [["blur", "NN", *SWEPT]]
        for tried in self.sweep:
            more = (f"{gain:+.1%}" for gain in tried.gains)
            swept.append([f"{tried.blur:g}", f"{tried.nn:.4f}", *more])
        return [*lines, "", OPEN, *aligned(swept)]


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def summarise(
    columns: NDArray[np.float64],
    consensus: TriedRanking,
    best: TriedRanking,
    tried: tuple[TriedRanking, ...],
    chosen_on: tuple[int, ...],
    reported_on: tuple[int, ...],
    each: int,
) -> DigitStudy:
    """Make the table of the queries.

    Parameters
    ----------
    columns : (Q, 7) float
        Of each query of each draw: its label, the average precision of NN, CR as in the paper, CR
        and the best; the share of wrong items in both CR, NaN where nothing re-scores.
    """
    labels = columns[:, 0].astype(np.int64)
    rows = tuple(_row(int(label), columns[labels == label, 1:]) for label in np.unique(labels))
    values = np.array(
        [
            (row.nn, row.cr_as_paper, row.cr, row.best, _nan(row.wrong_as_paper), _nan(row.wrong))
            for row in rows
        ]
    )
    digits = [row.digit for row in rows] == list(range(10))
    mean = DigitRow(None, *_means(values), *(PAPER_MEAN if digits else (None, None)))
    return DigitStudy(rows, mean, consensus, best, tried, chosen_on, reported_on, each)


def _row(label: int, values: NDArray[np.float64]) -> DigitRow:
    known = 0 <= label < len(PAPER_NN)
    paper = (PAPER_NN[label], PAPER_CR[label]) if known else (None, None)
    return DigitRow(label, *_means(values), *paper)


def _nan(value: float | None) -> float:
    return np.nan if value is None else value


def _means(
    values: NDArray[np.float64],
) -> tuple[float, float, float, float, float | None, float | None]:
    nn, cr_as_paper, cr, best = (float(value) for value in values[:, :4].mean(axis=0))
    shares = [column[~np.isnan(column)] for column in values[:, 4:].T]
    as_paper, wrong = (float(share.mean()) if len(share) else None for share in shares)
    return nn, cr_as_paper, cr, best, as_paper, wrong


SAMPLE = 3  # settings are chosen by every third query: the same order in a third of the time
EVERYTHING = -2.0  # below every cosine


@dataclass(frozen=True, eq=False)
class Digits:
    """Images of digits, or of anything else that is labelled.

    Attributes
    ----------
    images : (M, H, W) uint8
        255 is ink.
    labels : (M,) int
    """

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]

    __repr__ = short_repr


def read_digits(path: Path) -> Digits:
    """Read an ``.npz`` file with ``images`` (M, H, W) and ``labels`` (M,).

    Raises
    ------
    BadInput
        It is not such a file.
    """
    images, labels = read_npz(path, ("images", "labels"), "the arrays images and labels")
    if images.ndim != 3 or labels.shape != images.shape[:1]:
        raise BadInput(path, f"images {images.shape} and labels {labels.shape} do not fit")
    if images.dtype.kind not in "uib" or labels.dtype.kind not in "ui":
        problem = f"images are {images.dtype} and labels {labels.dtype}"
        raise BadInput(path, problem, expected="whole numbers")
    return Digits(images.astype(np.uint8), labels.astype(np.int64))


def blurred_pixels(images: NDArray[np.uint8], sigma: float = 1.5) -> NDArray[np.float32]:
    """Blur images and flatten each to a row of length 1.

    Parameters
    ----------
    images : (M, H, W) uint8
    sigma : float
        Standard deviation of the blur in px.

    Returns
    -------
    (M, H·W) float32
    """
    rows = [cv2.GaussianBlur(image.astype(np.float32), (0, 0), sigma).ravel() for image in images]
    features = np.array(rows, dtype=np.float32).reshape(len(images), -1)
    length = np.linalg.norm(features, axis=1, keepdims=True)
    return np.asarray(features / np.where(length > 0, length, 1), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class DigitDraw:
    """One division into queries and ranked items.

    Attributes
    ----------
    query : (Q, N) float
        The score of each item for each query.
    between : ItemScores
        Of the N items.
    labels : (Q,) int
        Of the queries.
    relevant : (Q, N) bool
    """

    query: NDArray[np.float64]
    between: ItemScores
    labels: NDArray[np.int64]
    relevant: NDArray[np.bool_]

    __repr__ = short_repr

    def sample(self, step: int) -> DigitDraw:
        """Every k-th query, k being the step."""
        some = slice(None, None, step)
        return DigitDraw(self.query[some], self.between, self.labels[some], self.relevant[some])


def draw_queries(
    features: NDArray[np.float32], labels: NDArray[np.int64], per_label: int, seed: int
) -> DigitDraw:
    """Draw ``per_label`` queries and as many ranked items of every label.

    Raises
    ------
    ValueError
        A label has less than twice as many.
    """
    random = np.random.default_rng(seed)
    first, second = [], []
    for label in np.unique(labels):
        mixed = random.permutation(np.flatnonzero(labels == label))
        if len(mixed) < 2 * per_label:
            raise ValueError(
                f"{label} is there {counted(len(mixed), 'time')}, {2 * per_label} are needed"
            )
        first.append(mixed[:per_label])
        second.append(mixed[per_label : 2 * per_label])
    queries, items = np.concatenate(first), np.concatenate(second)
    between = MatrixScores((features[items] @ features[items].T).astype(np.float64))
    scores = (features[queries] @ features[items].T).astype(np.float64)
    relevant = labels[queries][:, None] == labels[items][None]
    return DigitDraw(scores, between, labels[queries], relevant)


def average_precisions(drawn: DigitDraw, fusion: Fusion, choices: Choices) -> NDArray[np.float64]:
    """(Q,) the average precision of every query."""
    count = drawn.query.shape[1]
    no_lists, all_found = np.zeros((0, count)), np.ones(count, dtype=bool)
    scores = [
        fusion.fuse(Evidence(query, drawn.between, no_lists, all_found), choices)
        for query in drawn.query
    ]
    return mean_average_precision(np.array(scores), drawn.relevant).per_query


def wrong_shares(drawn: DigitDraw, choices: Choices) -> NDArray[np.float64]:
    """(Q,) the share of items of another label among those that re-score; NaN where none do."""
    shares = np.full(len(drawn.query), np.nan)
    for at, (query, relevant) in enumerate(zip(drawn.query, drawn.relevant, strict=True)):
        best = choose_re_scoring(query, choices)
        if len(best):
            shares[at] = 1 - relevant[best].mean()
    return shares


def consensus_settings() -> Iterator[tuple[str, Choices]]:
    """The settings of consensus ranking to try."""
    for top in (6, 12, 20):
        for at_least in (0.8, 0.85):
            for weight in (0.0, 8.0):
                for iterations in (1, 2):
                    yield "cr", Choices(top, at_least, weight, iterations)


def best_settings() -> Iterator[tuple[str, Choices]]:
    """Other re-rankings, with their settings, to try."""
    for top in (4, 8, 12):
        yield "alpha_qe", Choices(top, EVERYTHING)
        for neighbours in (10, 15, 20):
            for reach in (0.95, 0.99):
                more = {"diffusion_neighbours": neighbours, "diffusion_reach": reach}
                yield "diffusion", Choices(top, EVERYTHING, more=more)
    for neighbours in (5, 10):
        yield "database_augmentation", Choices(more={"augmentation_neighbours": neighbours})
    for neighbours in (20, 30, 40):
        for direct in (0.1, 0.3):
            more = {"reciprocal_neighbours": neighbours, "reciprocal_direct": direct}
            yield "k_reciprocal", Choices(more=more)


def study_digits(
    features: NDArray[np.float32],
    labels: NDArray[np.int64],
    *,
    per_label: int = 100,
    chosen_on: Sequence[int] = (0, 1),
    reported_on: Sequence[int] = (10, 11, 12),
    progress: Progress = silent,
) -> DigitStudy:
    """Measure NN, CR and the best re-ranking for each label.

    Parameters
    ----------
    features : (M, D) float
        Rows of length 1.
    labels : (M,) int
    per_label : int
        Number of queries of each label, and of ranked items.
    chosen_on, reported_on : sequence of int
        Seeds of the draws by which settings are chosen, and of those that are reported.

    Raises
    ------
    ValueError
        A draw is in both, there is none, or there are too few of a label.
    """
    if set(chosen_on) & set(reported_on) or not chosen_on or not reported_on:
        raise ValueError("settings have to be chosen on other draws than those reported")
    trials = [*consensus_settings(), *best_settings()]
    total = len(trials) + len(reported_on)
    known = fusions()
    learning = [
        draw_queries(features, labels, per_label, seed).sample(SAMPLE) for seed in chosen_on
    ]
    tried = []
    for done, (name, choices) in enumerate(trials):
        progress(done, total, "choosing settings")
        means = [average_precisions(drawn, known[name], choices).mean() for drawn in learning]
        tried.append(TriedRanking(name, choices, float(np.mean(means))))
    consensus = max((one for one in tried if one.name == "cr"), key=lambda one: one.map)
    best = max(tried, key=lambda one: one.map)
    measured = []
    for done, seed in enumerate(reported_on, len(trials)):
        progress(done, total, "measuring")
        drawn = draw_queries(features, labels, per_label, seed)
        measured.append(_measure(drawn, known, consensus, best))
    progress(total, total, "measuring")
    columns = np.concatenate(measured)
    return summarise(
        columns, consensus, best, tuple(tried), tuple(chosen_on), tuple(reported_on), per_label
    )


def sweep_blurs(
    digits: Digits, per_label: int = 100, seeds: Sequence[int] = (10, 11, 12)
) -> tuple[SweepRow, ...]:
    """Measure what consensus ranking gains, by the settings that the paper leaves open.

    Parameters
    ----------
    digits : Digits
    per_label : int
        Number of queries of each label, and of ranked items.
    seeds : sequence of int
        Of the draws; every few of their queries are measured.

    Raises
    ------
    ValueError
        There are too few of a label.
    """
    known, rows = fusions(), []
    for blur in _BLURS:
        features = blurred_pixels(digits.images, blur)
        draws = [
            draw_queries(features, digits.labels, per_label, seed).sample(SAMPLE) for seed in seeds
        ]
        found = [
            [float(average_precisions(drawn, known[name], choices).mean()) for drawn in draws]
            for name, choices in (("qe", AS_PAPER), *(("cr", each) for each in SWEPT.values()))
        ]
        nn, *means = np.mean(found, axis=1).tolist()
        rows.append(SweepRow(blur, nn, tuple(mean / nn - 1 for mean in means)))
    return tuple(rows)


def _measure(
    drawn: DigitDraw, known: dict[str, Fusion], consensus: TriedRanking, best: TriedRanking
) -> NDArray[np.float64]:
    """(Q, 7) label, average precision of NN, CR as in the paper, CR, best; two wrong shares."""
    return np.column_stack(
        [
            drawn.labels,
            average_precisions(drawn, known["qe"], AS_PAPER),
            average_precisions(drawn, known["cr"], AS_PAPER),
            average_precisions(drawn, known["cr"], consensus.choices),
            average_precisions(drawn, known[best.name], best.choices),
            wrong_shares(drawn, AS_PAPER),
            wrong_shares(drawn, consensus.choices),
        ]
    )
