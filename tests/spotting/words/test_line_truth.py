"""Hits are judged by transcribed lines as they are by words with boxes of their own."""

from __future__ import annotations

import numpy as np

from spotlab.model import Region, Truth
from spotlab.model.ranked_list import Items
from spotlab.studies.words.line_words import words_of
from spotlab.studies.words.word_truth import relevance
from tests.formats.written_pages import LINE, written_words

PAGE = ("page",)


def by_words_and_lines(seed: int) -> tuple[Items, Items]:
    """The truth of a page by words, and by lines."""
    _, boxes, texts = written_words(seed)
    words = Items(PAGE, np.zeros(len(texts), np.int64), boxes, tuple(texts))
    middle = boxes[:, [1, 3]].mean(axis=1)
    line = np.cumsum(np.diff(boxes[:, 0], prepend=np.inf) < 0)
    regions = []
    for number in np.unique(line).tolist():
        own = np.flatnonzero(line == number)
        left, top = boxes[own, :2].min(axis=0).tolist()
        right, bottom = boxes[own, 2:].max(axis=0).tolist()
        ring = ((left, top), (right, top), (right, bottom), (left, bottom))
        regions.append(Region(ring, "line", text=" ".join(texts[at] for at in own.tolist())))
    assert np.ptp(middle[line == line[0]]) < LINE / 2
    found = list(words_of(Truth(PAGE[0], tuple(regions))))
    lines = Items(
        PAGE,
        np.zeros(len(found), np.int64),
        np.array([box for box, _, _ in found]),
        tuple(text for _, text, _ in found),
        line=np.array([number for _, _, number in found]),
    )
    return words, lines


def test_lines_judge_hits_as_words_do() -> None:
    equal = []
    for seed in range(3):
        words, lines = by_words_and_lines(seed)
        off = np.random.default_rng(seed).normal(0, 4, words.boxes.shape)
        items = Items(PAGE, np.zeros(len(words), np.int64), words.boxes + off)
        for text in sorted(set(words.texts)):
            verdicts = relevance(items, str(text), words), relevance(items, str(text), lines)
            known = (verdicts[0] >= 0) & (verdicts[1] >= 0)
            assert known.mean() > 0.5
            equal.append((verdicts[0] == verdicts[1])[known])
    assert np.concatenate(equal).mean() >= 0.98


def test_a_hit_over_two_lines_one_of_which_has_the_word_is_not_wrong() -> None:
    _, lines = by_words_and_lines(0)
    second = lines.boxes[lines.line == lines.line[0] + 1]
    left, top, right, _ = lines.boxes[0].tolist()
    over_both = Items(PAGE, [0], [[left, top, right, second[:, 3].max() + LINE / 2]])
    only_second = Items(PAGE, [0], [[left, second[:, 1].min(), right, second[:, 3].max()]])
    text = next(each for each, line in zip(lines.texts, lines.line, strict=True)
                if line == lines.line[0] and each not in np.array(lines.texts)[
                    lines.line == lines.line[0] + 1])  # fmt: skip
    at = lines.texts.index(text)
    for items in (over_both, only_second):
        items.boxes[:, [0, 2]] = lines.boxes[at, [0, 2]]
    assert relevance(over_both, str(text), lines).tolist() == [-1]
    assert relevance(only_second, str(text), lines).tolist() == [0]
