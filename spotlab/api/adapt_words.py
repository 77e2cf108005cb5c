"""The network that describes words, adapted to the hand of some pages."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spotlab.api.arguments import ResultSummary, html_of, path_of, paths_of, text_of
from spotlab.api.job import job
from spotlab.api.settings import WordAdaptationSettings
from spotlab.learning.runs import INSTALL, is_installed
from spotlab.learning.words.hand.adapting import AdaptingSettings
from spotlab.learning.words.hands import read_fonts
from spotlab.report.figure_text import written
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.words.extraction.layout import WordInk
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.readings import read_lexicon
from spotlab.studies.words import adapting
from spotlab.studies.words.transcription import known_texts
from spotlab.studies.words.word_truth import known_words

if TYPE_CHECKING:
    from spotlab.studies.words.adapting import AdaptedHand


@dataclass(frozen=True, eq=False, repr=False)
class WordAdaptation:
    """Result of adapting a network to a hand, as returned by `adapt_words`.

    Attributes
    ----------
    made : AdaptedHand
        The network, its figures before and after, and what it has learned from.
    """

    made: AdaptedHand

    @property
    def kept(self) -> bool:
        """Tell whether the network was written: not where known words are found no better by it."""
        return self.made.kept

    @property
    def file(self) -> Path | None:
        """The adapted network, for the argument ``network`` of `spot_words`; None if not kept."""
        return self.made.file if self.made.kept else None

    @property
    def gains(self) -> dict[str, tuple[float, float]]:
        """Mean average precision before and after, "by example" and "typed", on held-out words.

        In [0, 1]. Empty where too few words were transcribed or judged to tell.
        """
        return self.made.adaptation.gains

    def as_dict(self) -> dict[str, Any]:
        """Return what was learned, in the layout of ``spotlab adapt words --json``."""
        return {
            "kept": self.kept,
            "file": str(self.file) if self.kept else None,
            "words": self.made.words,
            **asdict(self.made.adaptation),
        }

    @property
    def summary(self) -> ResultSummary:
        """Return what it has learned from, and what it brought."""
        network = self.made.network
        read = network.learned - network.known
        title = (
            f"learned from {network.learned:,} of {self.made.words:,} words: {read:,} read surely, "
            f"{network.known:,} transcribed or judged"
        )
        kept = f"wrote {self.file}" if self.kept else "these are not found better: nothing was kept"
        end = (_light_note(), kept) if network.is_light else (kept,)
        if not self.gains:
            unknown = "too few words are transcribed or judged to tell whether it helped"
            return ResultSummary(title, notes=(unknown, *end))
        rows = tuple(
            (name, written(then), written(now)) for name, (then, now) in self.gains.items()
        )
        held_out = f"of {network.held_out:,} known words that were not learned"
        heads = ("mean average precision", "before", "after")
        return ResultSummary(title, heads, rows, (held_out, *end))

    __repr__ = text_of
    _repr_html_ = html_of


def _light_note() -> str:
    """That little was learned, and why."""
    note = "only the last layers were fitted, which helps little without known words"
    return note if is_installed() else f"{note}: PyTorch is not installed ({INSTALL})"


@job(WordAdaptationSettings)
def adapt_words(chosen: WordAdaptationSettings) -> WordAdaptation:
    """Adapt the network that describes words to the hand of pages.

    It learns from the words that it reads surely, and from those that are transcribed or judged.
    Some of these are held out: where they are not found better afterwards, nothing is kept.
    Learning needs PyTorch (``pip install spotlab[learn]``); the last layers are fitted without it.

    Parameters
    ----------
    chosen : WordAdaptationSettings
        The parameters are its attributes.

    Returns
    -------
    WordAdaptation

    Raises
    ------
    SpotlabError
        There are too few words to learn from, or no page can be read.

    References
    ----------
    Wolf & Fink (2022), "Self-training of handwritten word recognition for synthetic-to-real
    adaptation", ICPR.

    Examples
    --------
    Of the words of letters, those of the truth, in a minute or in three seconds::

        made = adapt_words("letters/", given_boxes=True)
        made = adapt_words("letters/", given_boxes=True, light=True, out="mine.onnx")
        found = spot_words("letters/", texts="orders", network=made.file)

    >>> adapt_words("letters/", ink="pencil")
    Traceback (most recent call last):
        ...
    spotlab.errors.BadArgument: ink is 'pencil'; expected one of none, otsu, sauvola, wolf
    """
    entries = page_entries(paths_of(chosen.pages, "pages"))
    given = paths_of(chosen.truth, "truth")
    said = known_words(entries, given, chosen.given_boxes, chosen.progress)
    found = [] if chosen.fonts is None else read_fonts(Path(chosen.fonts), chosen.progress)
    made = adapting.adapt_words(
        entries,
        known_texts(entries, said),
        lexicon=None if chosen.lexicon is None else read_lexicon(Path(chosen.lexicon)),
        words=WordSettings(WordInk(chosen.ink)),
        boxes=said if chosen.given_boxes else None,
        settings=AdaptingSettings(
            chosen.minutes, chosen.steps, seed=chosen.seed, light=chosen.light
        ),
        fonts=[font.path for font in found],
        file=path_of(chosen.out),
        cache=path_of(chosen.cache),
        jobs=chosen.jobs,
        progress=chosen.progress,
    )
    return WordAdaptation(made)
