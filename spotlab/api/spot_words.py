"""Spotting of handwritten words, and adapting a network to the hand of pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spotlab.api.arguments import (
    ResultSummary,
    check_choice,
    data_frame,
    html_of,
    path_of,
    paths_of,
    stacked,
    text_of,
)
from spotlab.api.job import checked, job, unusable
from spotlab.api.read_run import SpottingRun
from spotlab.api.settings import WordAdaptationSettings, WordSpottingSettings
from spotlab.errors import BadArgument, counted, isolated
from spotlab.files import PathLike
from spotlab.formats.collection.page_names import pages_among
from spotlab.formats.lists.csv_list import write_csv
from spotlab.formats.rows.files import make_folder_of
from spotlab.formats.runs import ReadRun
from spotlab.learning.runs import INSTALL, is_installed
from spotlab.learning.words.hand.adapting import AdaptingSettings
from spotlab.learning.words.hands import read_fonts
from spotlab.model.run import place_of
from spotlab.ranking.fusion import Choices, fusions
from spotlab.report.figure_text import written
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.words.extraction.descriptor import WordDescriptor
from spotlab.spotting.words.extraction.layout import WordInk
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.feature_space import with_adapted
from spotlab.spotting.words.index import build_index, network_of, settings_reading
from spotlab.spotting.words.readings import wanted_lexicon
from spotlab.spotting.words.search import join_examples
from spotlab.spotting.words.word_index import WordIndex, WordQuery
from spotlab.studies.provenance import word_provenance
from spotlab.studies.words import adapting, word_spotting
from spotlab.studies.words.transcription import known_texts
from spotlab.studies.words.word_spotting import SpottedWord, reader_of
from spotlab.studies.words.word_truth import known_words

if TYPE_CHECKING:
    from pandas import DataFrame

    from spotlab.api.settings import WordQueries
    from spotlab.studies.words.adapting import AdaptedHand


MADE_WITH = (  # settings that the provenance of runs names
    "tau", "tight", "top", "min_score", "weight", "fall", "overlap", "depth", "combine", "ink"
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class WordSpotting:
    """Words that were spotted; `spot_words` makes it.

    Attributes
    ----------
    index : WordIndex
        The words of all pages.
    words : tuple of SpottedWord
        What was found for each query.
    lists : tuple of str
        The names of the ranked lists that were made.
    provenance : mapping of str to str
        What made them: settings, versions, date, hashes of pages and queries. Runs have it.
    not_searched : tuple of str
        A line for each text that is written nowhere.
    language : str
        Of the list of words that readings are proposed of; "" for a list that has none, and
        without readings.
    remarks : tuple of str
        What is wrong with each list of words that was left out as it could not be read.
    """

    index: WordIndex
    words: tuple[SpottedWord, ...]
    lists: tuple[str, ...]
    provenance: Mapping[str, str] = field(default_factory=dict)
    not_searched: tuple[str, ...] = ()
    language: str = ""
    remarks: tuple[str, ...] = ()

    def frame(self) -> DataFrame:
        """A row for each word of each ranked list.

        Returns
        -------
        DataFrame
            Columns query, list, rank (from 1), page, x, y, width, height (px), score, text,
            relevant (1, 0, or NaN where unknown) and own (1 for the query itself, else 0).
            `rerank` takes it back.
        """
        return stacked([word_rows(word) for word in self.words], COLUMNS)

    def means(self) -> DataFrame:
        """A row for each ranked list: its mean average precision over the queries.

        Returns
        -------
        DataFrame
            Columns list and mean_average_precision ([0, 1]; NaN where nothing is known to be
            relevant besides the queries themselves).
        """
        means = [word_spotting.mean_average_precision(self.words, name) for name in self.lists]
        return data_frame({"list": self.lists, "mean_average_precision": means})

    @checked
    def run(self, name: str | None = None) -> SpottingRun:
        """A ranked list of all queries, as a run.

        Parameters
        ----------
        name : str, optional
            Which list; the last by default.

        Raises
        ------
        BadArgument
            It was not made.
        """
        chosen = self.lists[-1] if name is None else name
        check_choice(chosen, "name", self.lists)
        run = word_spotting.run_of(self.words, chosen)
        made = {**self.provenance, "method": chosen} if self.provenance else {}
        return SpottingRun(ReadRun(replace(run, provenance=made)))

    @checked
    def write(self, path: PathLike) -> Path:
        """Write all ranked lists as CSV; ``run(name).write(path)`` writes one as a run.

        Parameters
        ----------
        path : path
            A .csv file.

        Raises
        ------
        NotSaved
            It cannot be written.
        """
        make_folder_of(Path(path))
        write_csv([word.query_lists for word in self.words], Path(path))
        return Path(path)

    def as_dict(self) -> dict[str, Any]:
        """Return what was found, in the layout of ``spotlab spot words --json``.

        None where undefined.
        """
        found: dict[str, Any] = word_spotting.as_json(self.index, self.words, self.lists)
        return found | {"language": self.language or None}

    @property
    def summary(self) -> ResultSummary:
        """Tell how much was found for each query, and the average precision of its lists."""
        rows = []
        for word in self.words:
            shares = [written(word.average_precision(ranked)) for ranked in word.lists]
            rows.append((word.name, f"{len(word.search.items):,}", *shares))
        words, pages = (
            counted(len(self.index), "word"),
            counted(len(self.index.items.pages), "page"),
        )
        title = f"{counted(len(self.words), 'query')}, {words} on {pages}, compared by "
        title += self.index.compared_by
        title += f", read as {self.language.capitalize()}" if self.language else ""
        left_out = [f"{each.page}: {each.problem}" for each in self.index.left_out]
        notes = [f"left out {remark}" for remark in (*left_out, *self.remarks)]
        notes += [f"not searched: {problem}" for problem in self.not_searched]
        typed = [word.search.query.text for word in self.words if word.search.query.typed]
        if self.index.learned is not None:
            told = self.index.learned.network.alphabet.merging("".join(typed))
            notes += [told] if told else []
        heads = ("query", "found", *(f"AP {name}" for name in self.lists))
        return ResultSummary(title, heads, tuple(rows), tuple(notes))

    __repr__ = text_of
    _repr_html_ = html_of


@job(WordSpottingSettings)
def spot_words(chosen: WordSpottingSettings) -> WordSpotting:
    """Search handwritten words that look like a query.

    Finished pages are kept in the cache: a search that was interrupted goes on from there.

    Parameters
    ----------
    chosen : WordSpottingSettings
        The parameters are its attributes.

    Returns
    -------
    WordSpotting
        Its average precision leaves the query itself out; None where nothing else is relevant.

    Raises
    ------
    SpotlabError
        There is no such list, a text is written nowhere, or no page can be read.

    References
    ----------
    A. Hast, "Consensus ranking for increasing mean average precision in keyword spotting", 2020,
    §3.

    Examples
    --------
    >>> import tempfile
    >>> from spotlab.resources import LETTERS, sample_collection
    >>> page = sample_collection(LETTERS) / "letter_001.jpg"
    >>> with tempfile.TemporaryDirectory() as cache:
    ...     found = spot_words(page, "the", lists="ws", given_boxes=True, cache=cache)
    >>> found.lists, len(found.words)
    (('ws',), 1)
    """
    names = _list_names(chosen.lists)
    settings = WordSettings(
        WordInk(chosen.ink),
        WordDescriptor(chosen.descriptor),
        path_of(chosen.network),
        chosen.adapted,
    )
    wanted = _wanted(
        chosen.queries, [chosen.texts] if isinstance(chosen.texts, str) else chosen.texts
    )
    entries = page_entries(paths_of(chosen.pages, "pages"))
    settings = with_adapted(_settings_reading(settings, wanted), entries)
    can_type = network_of(settings) is not None
    if (chosen.lexicon is not None or chosen.language) and not can_type:
        raise BadArgument("a list of words for readings needs a learned descriptor")
    listed = wanted_lexicon(path_of(chosen.lexicon), chosen.language)
    page_names = [entry.name for entry in entries]
    needed = chosen.given_boxes or not (can_type or all(query.box for query in wanted))
    given = paths_of(chosen.truth, "truth")
    known = known_words(entries, given, needed, chosen.progress)
    if chosen.given_boxes and known is not None and not len(known.exact):
        raise BadArgument("the truth has lines, not words with boxes of their own")
    placed = [named_as_pages(query, page_names) for query in wanted]
    problems: list[str] = []
    resolved = word_spotting.resolve_queries(
        placed,
        known,
        page_names,
        all_instances=chosen.all_instances,
        can_type=can_type,
        problems=problems,
    )
    index = build_index(
        entries,
        settings,
        boxes=known.exact if chosen.given_boxes and known is not None else None,
        cache=path_of(chosen.cache),
        jobs=chosen.jobs,
        cluster=chosen.cluster,
        progress=chosen.progress,
    )
    reader = reader_of(index, known, listed)
    spotted = word_spotting.spot_words(
        index,
        resolved,
        names,
        words=known,
        choices=Choices(chosen.top, chosen.min_score, chosen.weight, fall=chosen.fall),
        tau=chosen.tau,
        tight=chosen.tight,
        overlap=chosen.overlap,
        depth=chosen.depth,
        combine=chosen.combine,
        reader=reader,
        progress=chosen.progress,
    )
    made = word_provenance(
        placed,
        entries,
        **{name: getattr(chosen, name) for name in MADE_WITH},
        descriptor=str(index.descriptor),
        **_network_name(index),
        given_boxes=chosen.given_boxes,
        all_instances=chosen.all_instances,
    )
    language = "" if reader is None else reader.lexicon.language
    left_out = () if reader is None else reader.lexicon.left_out
    return WordSpotting(index, tuple(spotted), names, made, tuple(problems), language, left_out)


def _wanted(queries: WordQueries, texts: Sequence[str]) -> list[WordQuery]:
    """All queries; texts are typed."""
    typed = [WordQuery(text=text, typed=True) for text in texts]
    return typed if typed and queries == () else [*word_queries(queries), *typed]


def _settings_reading(settings: WordSettings, wanted: Sequence[WordQuery]) -> WordSettings:
    """The settings with the network that reads all texts that are searched."""
    texts = [query.text for query in wanted if query.box is None]
    found = {settings_reading(settings, text): text for text in texts}
    if len(found) > 1:
        one, other = list(found.values())[:2]
        raise BadArgument(
            f"“{isolated(one)}” and “{isolated(other)}” need networks of their own: search them "
            "one after the other"
        )
    return next(iter(found), settings)


def _network_name(index: WordIndex) -> dict[str, str]:
    return {} if index.learned is None else {"network": index.learned.network.digest[:12]}


def _list_names(lists: str | Sequence[str]) -> tuple[str, ...]:
    """The names of lists, each once."""
    given = lists.split(",") if isinstance(lists, str) else lists
    names = [name.strip().lower().replace("-", "_") for name in given]
    for name in names:
        if name not in fusions():
            raise BadArgument(f"there is no list {name!r}; there are {', '.join(fusions())}")
    return tuple(dict.fromkeys(names))


EXPECTED = (
    "a text, PAGE:x,y,width,height, (page, (x, y, width, height)), or several of these; or names"
    " with one or several boxes each"
)


def word_query(query: Any) -> WordQuery:
    """A query as `spot_words` takes it.

    Parameters
    ----------
    query : str, (page, (x, y, width, height)) or WordQuery
        A text, or a box on a page in px.

    Raises
    ------
    BadArgument
        It is something else, or the box has no area.

    Examples
    --------
    >>> word_query("letter_1:10,20,30,40").box
    (10.0, 20.0, 40.0, 60.0)
    """
    if isinstance(query, WordQuery):
        return query
    place = place_of(query)
    if place is None and not isinstance(query, str):
        raise unusable(query, "queries", EXPECTED)
    try:
        return WordQuery(text=query) if place is None else WordQuery(*place)
    except ValueError as error:
        raise BadArgument(f"{query!r}: {error}") from error


def word_queries(queries: Any) -> list[WordQuery]:
    """All queries of an argument.

    Parameters
    ----------
    queries : WordQueries
        One query, several, or names with one or several boxes each.

    Raises
    ------
    BadArgument
        There is none, or one is something else.

    Examples
    --------
    >>> [query.text for query in word_queries(["orders", "company"])]
    ['orders', 'company']
    """
    if isinstance(queries, Mapping):
        found = [_named(name, examples) for name, examples in queries.items()]
        if not found:
            raise BadArgument("there is no query")
        return found
    single = isinstance(queries, str | WordQuery) or place_of(queries) is not None
    if not single and not isinstance(queries, Iterable):
        raise unusable(queries, "queries", EXPECTED)
    found = [word_query(query) for query in ([queries] if single else queries)]
    if not found:
        raise BadArgument("there is no query")
    return found


def _named(name: str, examples: Any) -> WordQuery:
    """One query of all boxes of a name."""
    try:
        return join_examples(word_queries(examples), str(name))
    except ValueError as error:
        raise BadArgument(f"the query {name!r}: {error}") from error


def named_as_pages(query: WordQuery, names: Sequence[str]) -> WordQuery:
    """A query whose pages are called as those searched are.

    Parameters
    ----------
    query : WordQuery
    names : sequence of str
        Of the pages that are searched.

    Returns
    -------
    WordQuery

    Examples
    --------
    >>> named_as_pages(WordQuery("letter_1.png", (0, 0, 9, 9)), ["letter_1"]).page
    'letter_1'
    """
    more = tuple((pages_among([page], names)[0], box) for page, box in query.more)
    return replace(query, page=pages_among([query.page], names)[0], more=more)


COLUMNS = (
    "query", "list", "rank", "page", "x", "y", "width", "height", "score", "text", "relevant", "own"
)  # fmt: skip


def word_rows(word: SpottedWord) -> dict[str, list[Any]]:
    """The words of all lists of a query, list after list.

    Parameters
    ----------
    word : SpottedWord

    Returns
    -------
    dict of str to list
        Columns of the same length; "relevant" is NaN for a word that nobody has judged.
    """
    items = word.items
    order = [place for ranked in word.lists for place in ranked.item.tolist()]
    boxes = items.boxes[order].reshape(-1, 4)
    relevance = {1: 1.0, 0: 0.0}
    return {
        "query": [word.name] * len(order),
        "list": [ranked.name for ranked in word.lists for _ in range(len(ranked))],
        "rank": [rank for ranked in word.lists for rank in range(1, len(ranked) + 1)],
        "page": [items.page_name(place) for place in order],
        "x": boxes[:, 0].tolist(),
        "y": boxes[:, 1].tolist(),
        "width": (boxes[:, 2] - boxes[:, 0]).tolist(),
        "height": (boxes[:, 3] - boxes[:, 1]).tolist(),
        "score": [score for ranked in word.lists for score in ranked.score.tolist()],
        "text": [items.text(place) for place in order],
        "relevant": [relevance.get(value, np.nan) for value in word.relevance[order].tolist()],
        "own": [int(place == word.search.own) for place in order],
    }


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
        end = (*(f"left out {problem}" for problem in self.made.left_out), *end)
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
        lexicon=wanted_lexicon(path_of(chosen.lexicon), chosen.language),
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
