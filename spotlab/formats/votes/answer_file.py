"""A file of answers that several windows may change: what a person says is on the disk at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spotlab.formats.lists.place_lines import header, read_lines
from spotlab.formats.shared.line_form import LineForm, WholeLines
from spotlab.formats.votes.answers import (
    COLUMNS,
    UNKNOWN,
    AnswerRows,
    ReadAnswers,
    answer_line,
)
from spotlab.representation import utf8


@dataclass(frozen=True)
class Answer:
    """What is said of an item.

    Attributes
    ----------
    relevant : bool or None
        None says that nobody can tell.
    inclusion : float or None
        Probability with which the item was drawn to be asked for; None where it was not drawn.
    round : int
        Round in which it was drawn, from 0.
    """

    relevant: bool | None
    inclusion: float | None = None
    round: int = 0


def read_answers_of(said: Mapping[str, Answer], known: Sequence[str]) -> ReadAnswers:
    """Return what is said of these items.

    Parameters
    ----------
    said : mapping of str to Answer
    known : sequence of str
        Items; answers about others are left out.

    Returns
    -------
    ReadAnswers

    Examples
    --------
    >>> said = {"a": Answer(True, 0.5), "b": Answer(None), "c": Answer(False)}
    >>> read = read_answers_of(said, ["a", "b"])
    >>> read.items, read.relevant.tolist(), dict(read.unknown)
    (('a',), [1.0], {'b': (nan, 0)})
    """
    items = frozenset(known)
    own = {item: answer for item, answer in said.items() if item in items}
    told = {item: answer for item, answer in own.items() if answer.relevant is not None}
    return ReadAnswers(
        tuple(told),
        np.array([float(bool(answer.relevant)) for answer in told.values()], np.float64),
        np.array([_inclusion(answer) for answer in told.values()], np.float64),
        np.array([answer.round for answer in told.values()], np.int64),
        unknown={
            item: (_inclusion(answer), answer.round)
            for item, answer in own.items()
            if answer.relevant is None
        },
    )


def _inclusion(answer: Answer) -> float:
    return math.nan if answer.inclusion is None else answer.inclusion


def _whole_lines(content: bytes, path: Path) -> WholeLines[str, Answer]:
    rows = AnswerRows(path, None)
    rows.begin(COLUMNS, "line 1")
    read = read_lines(
        content, path, COLUMNS, "the file has no answers", rows.take_line, _has_answer
    )
    said = {
        item: Answer(bool(relevant), None if math.isnan(inclusion) else inclusion, int(number))
        for item, (relevant, inclusion, number) in rows.found.items()
    }
    for item, (inclusion, number) in rows.unknown.items():
        said[item] = Answer(None, None if math.isnan(inclusion) else inclusion, number)
    return WholeLines(said, read.whole, read.ended)


def _has_answer(values: list[str]) -> bool:
    """Whether a line without an end has its answer."""
    return values[-1] in ("0", "1", UNKNOWN)


def _line(item: str, answer: Answer | None) -> bytes:
    if answer is None:
        return utf8(answer_line(item, None, math.nan, 0))
    is_unknown = answer.relevant is None
    line = answer_line(item, answer.relevant, _inclusion(answer), answer.round, is_unknown)
    return utf8(line)


ANSWERS = LineForm("answer", header(COLUMNS), _whole_lines, _line)
"""Answers by item; see `SharedFile`."""
