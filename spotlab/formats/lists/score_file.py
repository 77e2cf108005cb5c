"""Score matrices: ``.npz`` with ``scores`` (n × n) and ``items`` (n), read without pickles.

An item is its name, or ``page,x,y,width,height`` in px as `Items.name` gives it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.errors import BadInput
from spotlab.formats.rows.numbers import LARGEST_SCORE, are_scores
from spotlab.formats.rows.part_folder import read_npz
from spotlab.model.ranked_list import Items
from spotlab.ranking.fusion import MatrixScores

EXPECTED = "scores (n × n) and items (n)"
SAME = 1e-6  # by which two scores of the same pair may differ


@dataclass(frozen=True, eq=False)
class ScoreFile:
    """Scores between items.

    Attributes
    ----------
    path : Path
    scores : (N, N) float
        Symmetrical; larger is more alike.
    names : tuple of str
        Of the items.
    remarks : tuple of str
    """

    path: Path
    scores: Floats
    names: tuple[str, ...]
    remarks: tuple[str, ...] = ()

    def among(self, items: Items) -> MatrixScores:
        """The scores of these items with each other.

        Raises
        ------
        BadInput
            The file does not have all of them.
        """
        number = {name: place for place, name in enumerate(self.names)}
        wanted = [items.name(item) for item in range(len(items))]
        missing = [name for name in wanted if name not in number]
        if missing:
            count = "1 item" if len(missing) == 1 else f"{len(missing):,} of {len(wanted):,} items"
            problem = f"no scores of {count}, the first is {missing[0]!r}"
            raise BadInput(self.path, problem, place="items", expected="all items of the lists")
        places = np.array([number[name] for name in wanted], np.int64)
        return MatrixScores(self.scores[np.ix_(places, places)])


def read_scores(path: Path | str) -> ScoreFile:
    """The scores in a file.

    Raises
    ------
    BadInput
        It cannot be read, holds something else, or a score that is no finite number.
    """
    path = Path(path)
    scores, items = read_npz(path, ("scores", "items"), EXPECTED)
    names = _names(path, items)
    return _checked(path, scores, names)


def _names(path: Path, items: NDArray[np.generic]) -> tuple[str, ...]:
    if items.ndim != 1 or items.dtype.kind not in "USiu":
        problem = f"items is {_kind(items)}"
        raise BadInput(path, problem, expected="n names")
    texts = [_tidy(text) for text in items.astype("U").tolist()]
    if len(set(texts)) < len(texts):
        twice = next(name for at, name in enumerate(texts) if name in texts[:at])
        raise BadInput(path, f"the item {twice!r} occurs twice", place="items", expected="once")
    return tuple(texts)


def _tidy(name: str) -> str:
    """A name as `Items.name` gives it, however the numbers of a place were written.

    Examples
    --------
    >>> _tidy("270,10.0,20,30.50,4e1"), _tidy("FT923-11593")
    ('270,10,20,30.5,40', 'FT923-11593')
    """
    page, *numbers = name.rsplit(",", 4)
    try:
        return ",".join([page, *(f"{float(number):.15g}" for number in numbers)])
    except ValueError:
        return name


def _checked(path: Path, scores: NDArray[np.generic], names: Sequence[str]) -> ScoreFile:
    if scores.shape != (len(names), len(names)) or scores.dtype.kind not in "fiub":
        expected = f"{len(names)} × {len(names)} numbers, as there are {len(names)} items"
        raise BadInput(path, f"scores is {_kind(scores)}", expected=expected)
    matrix = scores.astype(np.float64)
    if not are_scores(matrix).all():
        row, column = np.argwhere(~are_scores(matrix))[0]
        problem = f"the score is {matrix[row, column]}"
        place = f"row {row + 1}, column {column + 1} of scores"
        raise BadInput(
            path, problem, place=place, expected=f"a finite number within ±{LARGEST_SCORE:g}"
        )
    difference = float(np.abs(matrix - matrix.T).max(initial=0))
    if difference == 0:
        return ScoreFile(path, matrix, tuple(names))
    matrix = (matrix + matrix.T) / 2
    remark = (
        f"{path}: the two scores of a pair differ by up to {difference:.3g}; their mean is used"
    )
    return ScoreFile(path, matrix, tuple(names), (remark,) if difference > SAME else ())


def _kind(array: NDArray[np.generic]) -> str:
    shape = " × ".join(map(str, array.shape)) or "one value"
    return f"{shape} of type {array.dtype}"
