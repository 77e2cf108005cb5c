"""The table of the study of digits: a row for each digit, beside the numbers of Hast's Table 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, fusions
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
        """How much more ``column`` has than NN, as a share of NN; None where NN has nothing."""
        return float(getattr(self, column)) / self.nn - 1 if self.nn > 0 else None


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
    """

    rows: tuple[DigitRow, ...]
    mean: DigitRow
    consensus: TriedRanking
    best: TriedRanking
    tried: tuple[TriedRanking, ...]
    chosen_on: tuple[int, ...]
    reported_on: tuple[int, ...]
    each: int

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
        return lines


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
