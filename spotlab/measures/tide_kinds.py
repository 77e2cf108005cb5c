"""The kinds of errors that TIDE tells apart, in the words of Bolya et al. (2020)."""

from __future__ import annotations

from enum import StrEnum


class TideKind(StrEnum):
    """A kind of error of TIDE, or one of its two special ones."""

    WRONG_LABEL = "wrong_label"
    BADLY_PLACED = "badly_placed"
    BOTH = "both"
    DUPLICATE = "duplicate"
    BACKGROUND = "background"
    MISSED = "missed"
    FALSE_POSITIVE = "false_positive"
    FALSE_NEGATIVE = "false_negative"

    @property
    def words(self) -> str:
        """The kind in words.

        Examples
        --------
        >>> TideKind.FALSE_POSITIVE.words
        'false positive'
        """
        return self.value.replace("_", " ")

    @property
    def short(self) -> str:
        """The kind as TIDE's own tables name it.

        Examples
        --------
        >>> [kind.short for kind in TideKind]
        ['Cls', 'Loc', 'Both', 'Dupe', 'Bkg', 'Miss', 'FalsePos', 'FalseNeg']
        """
        return _SHORT[TIDE_KINDS.index(self)]

    @property
    def meaning(self) -> str:
        """What is of this kind, and how it is mended, for a person.

        Examples
        --------
        >>> TideKind.DUPLICATE.meaning
        'A spot on a region that a better spot has taken. Mended: the spot is dropped.'
        """
        return _MEANINGS[TIDE_KINDS.index(self)]


TIDE_KINDS = tuple(TideKind)
MAIN_KINDS = TIDE_KINDS[:6]
_SHORT = ("Cls", "Loc", "Both", "Dupe", "Bkg", "Miss", "FalsePos", "FalseNeg")
_MEANINGS = (
    "A spot that reaches the IoU with a region of another label. Mended: it has that label.",
    "A spot that overlaps a region of its query with too low an IoU. Mended: the IoU is reached.",
    "A spot that overlaps a region of another label with too low an IoU. Mended: it is dropped.",
    "A spot on a region that a better spot has taken. Mended: the spot is dropped.",
    "A spot on no region, with an IoU of .1 at most. Mended: the spot is dropped.",
    "A region that no spot is about. Mended: it is no longer to be found.",
    "All spots that are not right. Mended: they come after all that are right.",
    "All regions that no spot has taken. Mended: they are no longer to be found.",
)
NUMBERS = {kind: number for number, kind in enumerate(TIDE_KINDS)}
