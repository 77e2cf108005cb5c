"""Turns what systems read on pages into items: words, case and punctuation left aside."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.consensus.alignment import align, align_with
from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import Method
from spotlab.progress import Progress, track

MOST_ALIGNED = 10_000  # tokens of a page: a table of so many squared is held at once
UNKNOWN = -1
Tokens = Sequence[str]

# Letters and digits with what is set above them, joined by an apostrophe within a word.
_PART = r"[^\W_](?:[^\W_]|[\u0300-\u036F])*"
_WORD = re.compile(rf"{_PART}(?:['\u2019]{_PART})*")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case and in Unicode's composed form.

    Examples
    --------
    >>> words_of("Was i\\u017ft Aufkla\\u0308rung? (S. 17)")
    ['was', 'iſt', 'aufklärung', 's', '17']
    """
    return _WORD.findall(unicodedata.normalize("NFC", text).lower())


@dataclass(frozen=True, eq=False)
class TokenItems:
    """Items that are tokens.

    Attributes
    ----------
    votes : Votes
        Yes where a system read the token, unknown where it did not see the page.
    items, pages, texts : tuple of str
        Names, page and token of each.
    truth : (N,) float
        NaN on pages whose truth is unknown.
    missed : int
        How many tokens only the truth has, items or not.
    unfound : (S,) float
        Of these, how many are no items and on a page that the system saw.
    """

    votes: Votes
    items: tuple[str, ...]
    pages: tuple[str, ...]
    texts: tuple[str, ...]
    truth: Floats
    missed: int
    unfound: Floats


def items_of_tokens(
    pages: Mapping[str, Sequence[Tokens | None]],
    truth: Mapping[str, Tokens],
    systems: Sequence[str],
    method: Method,
    missed: bool,
    progress: Progress,
) -> TokenItems:
    """Items from the tokens of S systems.

    Parameters
    ----------
    pages : mapping of str to sequence
        Of each page the tokens of every system, None of one that did not see it.
    truth : mapping of str to sequence of str
        The true tokens of the pages where they are known.
    systems : sequence of str
    method : str
        "bag_of_words": an item is a page, a token, and the how many-th of its kind it is;
        "alignment": a page, a slot of the alignment of the systems' tokens, and a token in it.
        Lamiroy & Sun (2013), §4.2, Methods I and II.
    missed : bool
        Whether a token that only the truth has is an item.

    Notes
    -----
    The truth never moves the systems' alignment; it is laid beside it when that is done.
    """
    items: list[tuple[str, str, str]] = []
    rows: list[NDArray[np.int8]] = []
    left_out, unfound = 0, np.zeros(len(systems))
    find = _counted if method == "bag_of_words" else _aligned
    for page in track(pages, progress, "matching tokens"):
        read = pages[page]
        names, votes = find([tokens or () for tokens in read], truth.get(page, ()))
        votes[:, [*(tokens is None for tokens in read), page not in truth]] = UNKNOWN
        only_truth = ~(votes[:, :-1] == 1).any(axis=1)
        left_out += int(only_truth.sum())
        if not missed:
            unfound[[tokens is not None for tokens in read]] += only_truth.sum()
            votes = votes[~only_truth]
            names = [name for name, out in zip(names, only_truth, strict=True) if not out]
        items += [(page, f"{page}/{before}{token}{after}", token) for before, token, after in names]
        rows.append(votes)
    votes = np.concatenate(rows) if rows else np.zeros((0, len(systems) + 1), np.int8)
    columns = [tuple(column) for column in zip(*items, strict=True)] or [(), (), ()]
    return TokenItems(
        Votes.of(_values(votes[:, :-1]), systems),
        columns[1], columns[0], columns[2], _values(votes[:, -1]).astype(np.float64), left_out,
        unfound,
    )  # fmt: skip


def _values(votes: NDArray[np.int8]) -> NDArray[np.float32] | NDArray[np.int8]:
    if not (votes == UNKNOWN).any():
        return votes
    return np.where(votes == UNKNOWN, np.float32(np.nan), votes.astype(np.float32))


Found = tuple[list[tuple[str, str, str]], NDArray[np.int8]]


def _counted(read: Sequence[Tokens], true: Tokens) -> Found:
    """Method I, in alphabetical order: what stands before and after each token, and the votes."""
    counts = [Counter(tokens) for tokens in (*read, true)]
    names, rows = [], []
    for token in sorted(set().union(*counts)):
        each = np.array([count[token] for count in counts])
        for number in range(1, int(each.max()) + 1):
            names.append(("", token, f"/{number}"))
            rows.append(each >= number)
    return names, np.array(rows, np.int8).reshape(len(names), len(counts))


def _aligned(read: Sequence[Tokens], true: Tokens) -> Found:
    """Method II, in the order of slots and, within one, of the systems."""
    slots = align_with(align(read), read, true)
    names, rows = [], []
    for number, here in enumerate(_tokens_in(slots, [*read, true]), 1):
        for token in dict.fromkeys(token for token in here if token is not None):
            names.append((f"{number}/", token, ""))
            rows.append([each == token for each in here])
    return names, np.array(rows, np.int8).reshape(len(names), len(read) + 1)


def _tokens_in(slots: NDArray[np.int64], sequences: Sequence[Tokens]) -> Iterator[list[str | None]]:
    for slot in slots.tolist():
        yield [
            tokens[index] if index >= 0 else None
            for tokens, index in zip(sequences, slot, strict=True)
        ]
