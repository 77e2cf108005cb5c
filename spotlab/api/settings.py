"""Settings of the jobs: the name, type, default and text of each, once.

The functions of `import spotlab` take them as parameters, the commands as options.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from spotlab.api.job import PathKind, Range
from spotlab.files import PathLike, Paths
from spotlab.progress import Progress, silent

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from pandas import DataFrame

    from spotlab.api.arguments import Table
    from spotlab.api.read_run import RunSources
    from spotlab.api.read_truth import GroundTruth, TruthSource
    from spotlab.imaging.ink import InkSettings
    from spotlab.model.run import Place
    from spotlab.spotting.symbols.engine.page_features import SymbolModel
    from spotlab.spotting.words.word_index import WordQuery

    ListSource = PathLike | Table
    ListSources = ListSource | Iterable[ListSource] | Mapping[str, ListSource]
    ScoreSource: TypeAlias = PathLike | DataFrame | tuple[ArrayLike, Sequence[str]]
    VoteSource = Paths | Table | ArrayLike
    TruthOfVotes = Paths | Table | ArrayLike
    JudgementSource = PathLike | Table
    TreeSource = PathLike | Table | Mapping[str, str]
    AnnotatorSources = Paths | Mapping[str, TruthSource]
    AnswerSources = PathLike | Table | Sequence[PathLike | Table]
    SymbolQuery = PathLike | Place | SymbolModel | NDArray[np.uint8]
    SymbolQueries = SymbolQuery | Iterable[SymbolQuery] | Mapping[str, SymbolQuery]
    NamedWord = str | Place | WordQuery
    WordQueries = NamedWord | Iterable[NamedWord] | Mapping[str, NamedWord | Iterable[NamedWord]]


Count: TypeAlias = Annotated[int, Range(0)]
Number: TypeAlias = Annotated[int, Range(1)]
Positive: TypeAlias = Annotated[float, Range(0, low_open=True)]
NotNegative: TypeAlias = Annotated[float, Range(0)]
Share: TypeAlias = Annotated[float, Range(0, 1, low_open=True)]
Pixels: TypeAlias = Annotated[int, Range(0, 10_000)]
Degrees: TypeAlias = Annotated[int, Range(1, 90)]
BoxOverlap: TypeAlias = Annotated[float, Range(0.25)]
File: TypeAlias = Annotated[PathLike, PathKind(folder=False)]
Files: TypeAlias = Annotated[Paths, PathKind(folder=False)]
NewFile: TypeAlias = Annotated[PathLike, PathKind(folder=False, exists=False)]
Folder: TypeAlias = Annotated[PathLike, PathKind(file=False)]
NewFolder: TypeAlias = Annotated[PathLike, PathKind(file=False, exists=False)]
Texts: TypeAlias = str | Sequence[str]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JobSettings:
    """Settings of every job.

    Attributes
    ----------
    progress : callable
        Told how far it is.
    """

    progress: Progress = silent


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TruthSettings(JobSettings):
    """Settings of all jobs that hold something against ground truth.

    Attributes
    ----------
    naming : path, optional
        COCO annotation file, data.yaml or list of labels that names image ids and class numbers of
        detections.
    words : bool
        Use the words of PAGE files as truth, instead of the regions.
    texts : bool
        Use the words of PAGE files as truth, labelled by their transcription: for runs of `spot
        words`. Case and punctuation do not count, in queries of runs neither. Lines without words
        are taken apart: a spot at its word's place is right; others in a line that has the word are
        left out, and the run's remarks count them.
    strict : bool
        Refuse files in which anything cannot be read. By default it is left out and named.
    beta : float
        Weight of recall relative to precision in the F measure; above 1 favours recall.
    skip_bad_lines : bool
        Opposite of `strict`, for older scripts.
    jobs : int
        Number of processor cores to use; 0 for all.
    """

    naming: File | None = None
    words: bool = False
    texts: bool = False
    strict: bool = False
    beta: Positive = 1.0
    skip_bad_lines: bool = True
    jobs: Count = 0


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JudgingSettings(TruthSettings):
    """Settings of all jobs that evaluate runs against ground truth.

    Attributes
    ----------
    truth : GroundTruth, path, sequence of path, or table
        What `read_truth` gave or takes.
    runs : path, DataFrame, SpottingRun, or several of these
        What `read_run` gave or takes, one or a sequence; a folder of such files; or a mapping of
        names to them. A table has the columns query, page, points (px) and score or rank.
    pages : str or sequence of str
        Evaluate only pages whose name fits this pattern, such as 'plan_0*'; may be given several
        times.
    subset : path or sequence of path
        Evaluate only the pages that this text file names, one on each line; may be given several
        times.
    tag : str or sequence of str
        Evaluate only pages that have this tag, such as 'complete' or 'hand:B', or its key; several
        are all needed.
    columns : str
        Columns of tables of detections, where their names do not tell:
        "page=image,query=name,score=conf,xyxy=x1 y1 x2 y2"; also xywh, cxcywh, unit=px or share.
        [default: by their names]
    file_group : str, optional
        File group of METS files to read. [default: the ground truth]
    annotator : str, optional
        Annotator to read, of truth files with the work of several, such as exports of Label Studio.
        [default: the latest of each page]
    overlap : "union" or "sum"
        Whether area covered by several spots counts once (union) or once per spot (sum).
    recognised : float
        Smallest covered share of a symbol's area at which it counts as recognised.
    primitive : str, optional
        Convert every outline to this primitive before measuring. [default: no conversion]
    missing : "zero" or "drop"
        How a query that never reaches a recall enters the mean curve: as 0 (zero), or left out
        (drop).
    seed : int
        Seed of the random number generator.
    cluster : str, optional
        Address of a Dask scheduler, such as tcp://host:8786, whose workers do the work instead.
        Its messages can run any code: trust the scheduler and everyone who can reach it.
        tls://host:8786 is encrypted, with the certificates from Dask's settings
        (distributed.comm.tls).
    cache : path, optional
        Folder, the same for all workers of --cluster, for the tallies of finished pages. [default:
        in the user's cache folder]
    """

    truth: TruthSource = field(kw_only=False)
    runs: RunSources = field(kw_only=False)
    pages: Texts = ()
    subset: Files = ()
    tag: Texts = ()
    columns: str = ""
    file_group: str | None = None
    annotator: str | None = None
    overlap: Literal["union", "sum"] = "union"
    recognised: Share = 0.75
    primitive: (
        Literal["hull", "polygon", "box", "ellipse", "isothetic", "trace", "cells"] | None
    ) = None
    missing: Literal["zero", "drop"] = "zero"
    seed: Count = 0
    cluster: str | None = None
    cache: NewFolder | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class EvaluationSettings(JudgingSettings):
    """Settings of `evaluate`.

    Attributes
    ----------
    iou : float
        Smallest intersection over union at which a spot is correct, for AP, P, R and F at IoU, and
        error types.
    at_recall : float
        Area recall at which precision is reported.
    at_precision : float
        Area precision at which recall is reported.
    sizes : "coco" or "tertiles"
        Small, medium and large regions of AP and AR by size: up to 32² px², up to 96² px² and above
        (coco), or a third of all regions each (tertiles).
    at_rank : int
        Rank n of P@n: the precision of the first n spots of each query.
    ties : "file" or "pages"
        Order of spots with the same score: that of the file, or page by page and then that of the
        file (pages), as in pycocotools. Pages are in the order of their COCO image ids if all have
        one.
    models : "ignore" or "count"
        Whether the regions that a run's queries were taken from, and the spots on them, are left
        out (ignore) or counted like all others (count). Runs of `spot` say where these are.
    uncertain : "count" or "ignore"
        Whether truth regions marked as uncertain count, or are left out as difficult symbols
        (ignore).
    cut : str, optional
        Also give the figures where each run is cut: rank=N, score=S, recall=R (where it first
        reaches this mean recall), precision=P (the last place with this mean precision) or best-f.
    primary : str
        Figure in which runs are tested for differences, by its name in the JSON. All others are
        described, with intervals.
    over : "queries" or "pages", optional
        Units of intervals and tests: by default queries, or pages where there are too few queries.
    draws : int
        Number of draws of the test where there are too many units to try all ways; 0 leaves
        tests, and the intervals of each run, out.
    in_full : sequence of str
        Runs that are shown in full, by name or file; the others are folded in the report and have a
        line in the terminal. By default up to three runs, of more the two best in the primary
        figure.
    """

    iou: Share = 0.5
    at_recall: Share = 0.5
    at_precision: Share = 0.5
    sizes: Literal["coco", "tertiles"] = "coco"
    at_rank: Number = 10
    ties: Literal["file", "pages"] = "file"
    models: Literal["ignore", "count"] = "ignore"
    uncertain: Literal["count", "ignore"] = "count"
    cut: str | None = None
    primary: str = "iou_precision"
    over: Literal["queries", "pages"] | None = None
    draws: Count = 1000
    in_full: Texts = ()


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScalabilitySettings(JudgingSettings):
    """Settings of `scalability`.

    Attributes
    ----------
    draws : int
        Number of random draws of classes for each number of classes.
    step : int
        Step from one number of classes to the next.
    """

    draws: Number = 100
    step: Number = 5


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AnnotatorSettings(TruthSettings):
    """Settings of `annotators`.

    Attributes
    ----------
    annotators : path, several of these, or mapping of str to truth
        Folder or file with the truth of one annotator; may be given several times. Exports with the
        work of several, as of Label Studio, give each of them.

        A mapping has the truth of each annotator by name: what `read_truth` gave or takes.
    runs : path, DataFrame, SpottingRun, or several of these, optional
        Run to evaluate; may be given several times. [default: none, only the annotators' agreement
        is measured]
    decided : path, optional
        Folder with what somebody has decided between two of the annotators in the window; its
        decisions are counted, and each annotator is compared with the truth in it. [default: none]
    """

    annotators: AnnotatorSources = field(kw_only=False)
    runs: RunSources = field(default=(), kw_only=False)
    decided: Folder | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ValidationSettings(JobSettings):
    """Settings of `validate`.

    Attributes
    ----------
    paths : path or sequence of path
        Truth files, or folders of them.
    strict : bool
        Refuse files in which anything cannot be read. By default it is left out and named.
    """

    paths: Paths = field(kw_only=False)
    strict: bool = False


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ConversionSettings(JobSettings):
    """Settings of `convert`.

    Attributes
    ----------
    source : path or sequence of path
        Truth file, or folder of them.
    target : path
        File, or folder for one file per page. A name without a suffix is a folder.
    to : str, optional
        Format to write. [default: by the suffix of OUT]
    words : bool
        Convert words instead of regions; regions that have a text, in formats without words.
    lines : bool
        Convert lines of text instead of regions, for example of PAGE, ALTO and hOCR.
    blocks : bool
        Convert blocks (zones) of text instead of words, for example of ALTO and hOCR.
    file_group : str, optional
        File group of METS files to read. [default: the ground truth]
    annotator : str, optional
        Annotator to read, of truth files with the work of several, such as exports of Label Studio.
        [default: the latest of each page]
    labels : str or sequence of str
        Convert regions of these labels only, separated by commas. [default: all]
    labels_as_words : bool
        Labels are what is written: make each region a word with its label as the text.
    checked : bool
        Convert pages only that are marked as checked.
    split : str, optional
        Divide the pages by chance into parts of these shares, for example 80/10/10.
    seed : int
        Seed of `split`; the same seed gives the same parts.
    images : "none", "copy" or "link"
        Copy or link the images to the pages' truth.
    overwrite : bool
        Replace files that are there, for example after an interrupted conversion, or an earlier
        export.
    strict : bool
        Refuse files in which anything cannot be read. By default it is left out and named.
    """

    source: Paths = field(kw_only=False)
    target: PathLike = field(kw_only=False)
    to: str | None = None
    words: bool = False
    lines: bool = False
    blocks: bool = False
    file_group: str | None = None
    annotator: str | None = None
    labels: Texts = ()
    labels_as_words: bool = False
    checked: bool = False
    split: str | None = None
    seed: Count = 0
    images: Literal["copy", "link", "none"] = "none"
    overwrite: bool = False
    strict: bool = False


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SystemComparisonSettings(JobSettings):
    """Settings of `compare_systems`.

    Attributes
    ----------
    votes : path, DataFrame, mapping, array, or sequence of path
        A table of votes, runs of TREC, runs of spotted regions, or a folder of texts, PAGE or ALTO
        files for each system. A DataFrame or mapping has a column for each system, with votes in
        [0, 1] and NaN or None where unknown, and may have item (names), truth (1, 0) and page; or
        it has the columns item, system and vote. An array is (N, S) float: N items, S systems.
    truth : path, sequence of path, DataFrame, or (N,) array, optional
        Ground truth to compare with: relevance judgements, a CSV file or table item,truth, texts in
        the layout of a system's, or truth files for spotted regions.
    kind : str, optional
        Format of VOTES, such as csv or trec. [default: detected from the content]
    weights : mapping of str to float, optional
        Weights of systems, and of top and bottom. Those not named share the rest of 1 equally.
    oracle : str, optional
        Column with a system that is known to be right, or truth, or answers for --answers. With a
        weight of 1 the results are ordinary precision and recall.
    group_by : str, optional
        Factor of the systems; also compare the systems of each of its values separately.
    factors : mapping of str to mapping of str to str, optional
        What is known of the systems: for each factor its value by system.
    method : "bag-of-words" or "alignment"
        Method that turns texts into items.
    depth : int
        Number of top ranks of a ranked list that count as votes.
    overlap : float
        Smallest intersection over union at which two spotted regions are the same item.
    yes : sequence of str
        Word that means yes in a CSV file item,system,vote; may be given several times.
    min_votes : int
        Smallest number of known votes for which a system's figures are reported. Systems with fewer
        votes still vote.
    beta : float
        Weight of recall relative to precision in the F measure; above 1 favours recall.
    draws : int
        Number of draws; without effect, for older scripts.
    resample : "items" or "pages"
        Unit of the draws; without effect, for older scripts.
    seed : int
        Seed of the random number generator.
    answers : path, optional
        CSV file with the known relevance of some items: item,relevant[,inclusion][,round].
    strict : bool
        Refuse files in which anything cannot be read. By default it is left out and named.
    skip_bad_lines : bool
        Opposite of `strict`, for older scripts.
    """

    votes: VoteSource = field(kw_only=False)
    truth: TruthOfVotes | None = None
    kind: str | None = None
    weights: Mapping[str, float] | None = None
    oracle: str | None = None
    group_by: str | None = None
    factors: Mapping[str, Mapping[str, str]] | None = None
    method: Literal["bag-of-words", "alignment"] = "bag-of-words"
    depth: Number = 100
    overlap: Share = 0.5
    yes: Sequence[str] = ()
    min_votes: Count = 0
    beta: Positive = 1.0
    draws: Count = 1000
    resample: Literal["items", "pages"] = "items"
    seed: Count = 0
    answers: File | None = None
    strict: bool = False
    skip_bad_lines: bool = True


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReScoringSettings(JobSettings):
    """Settings of all jobs in which the best items of a list re-score it.

    Attributes
    ----------
    top : int
        Largest number of items that re-score a list.

        Larger: rarer forms of a word are found, and a wrong one among them pulls up others like it.
        Smaller: the list changes less. Hast's paper has 12.
    min_score : float
        Smallest score of an item that re-scores a list.

        Larger: fewer and surer items do. Smaller: more do, also wrong ones. Hast's paper has 0.8.
    fall : float
        Largest distance of such an item's score from the second best score.

        Larger: also worse items re-score the list. Smaller: only those nearly as good as the best
        do, since rare words have few good instances. Hast's paper has any distance.
    weight : float
        Exponent of such an item's score in its weight; 0 weighs all equally.

        Larger: the best items decide nearly alone. Smaller: all count more alike. Hast's paper
        has 0.
    """

    top: Count = 6
    min_score: float = 0.6
    fall: NotNegative = 0.1
    weight: NotNegative = 3.0


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RerankingSettings(ReScoringSettings):
    """Settings of `rerank`, which re-scores as Hast's paper does.

    Attributes
    ----------
    lists : path, DataFrame, or several of these
        CSV or runs of TREC, one or a sequence, or a mapping of names to them. A table has a row for
        each item of a list: query, score, and page, x, y, width, height (px) or item (a name);
        where they are known list, relevant (1, 0), text. Lists of one query in several files or
        tables are several systems'.
    fusion : str or sequence of str, optional
        Fusion method; may be given several times. [default: cr with --scores or --pages; for
        several lists noisy_or of probabilities, else reciprocal_rank]

        Such as "cr", "ml_cr", "combsum" or "borda"; none for single lists without scores.
    scores : path, DataFrame or (matrix, items), optional
        File (.npz) with the scores of all pairs of items.

        "cr" needs them: .npz with ``scores`` and ``items``; a square DataFrame with the items'
        names as index; or an (N, N) float array and N names. An item without a name is called
        "page,x,y,width,height".
    qrels : path, optional
        TREC file with relevance judgements (qrels).
    truth : path or sequence of path, optional
        PAGE XML with transcribed words, or a folder of such files; may be given several times.

        Queries are words, called by their text ("orders", "orders 3") or by their place
        ("270:10,20,100,40"). All instances count as relevant, found or not.
    pages : path or sequence of path, optional
        Image, or folder of images, on which the boxes of the lists lie. Consensus methods compare
        what the boxes contain. Transcriptions beside the images count as --truth.
    judgements : path, optional
        CSV file with judgements that were made in the window.
    top : int
        Largest number of items that re-score a list.
    min_score : float
        Smallest score of an item that re-scores a list.
    fall : float
        Largest distance of such an item's score from the second best score. [default: any]
    weight : float
        Exponent of such an item's score in its weight; 0 weighs all equally.
    iterations : int
        Number of times that a list re-scores itself.

        Larger: the list gathers more closely around its best items, right or wrong. Smaller: it
        stays closer to the search.
    settings : mapping of str to (float or str), optional
        Setting of a particular fusion method, such as rank_constant=60 or normalise=min_max (none,
        min_max, sum, standard).
    scale : "score", "probability" or "rank", optional
        What all lists are purged and fused by: their scores as they are, the probability of being
        relevant at each rank, or the rank. [default: score if all lists may have scores of one
        scale from 0 to 1, else probability if queries are judged, else rank]

        The probability is fitted for each list by isotonic regression. Judgements of a query count
        for other queries only.
    threshold : float, optional
        Smallest score or probability of an item that purging keeps; with ranks the number of items
        that it keeps. [default: 0.7, 0.5 or 12]
    strict : bool
        Refuse files in which anything cannot be read. By default it is left out and named.
    skip_bad_lines : bool
        Opposite of `strict`, for older scripts.
    jobs : int
        Number of processor cores to use; 0 for all.
    cache : path, optional
        Folder for the words of --pages. [default: in the user's cache folder]
    """

    lists: ListSources = field(kw_only=False)
    fusion: Texts | None = field(default=None, kw_only=False)
    scores: ScoreSource | None = None
    qrels: File | None = None
    truth: Paths | None = None
    pages: Paths | None = None
    judgements: File | None = None
    top: Count = 12
    min_score: float = 0.8
    fall: NotNegative = inf
    weight: NotNegative = 0.0
    iterations: Number = 1
    settings: Mapping[str, float | str] | None = None
    scale: Literal["score", "probability", "rank"] | None = None
    threshold: float | None = None
    strict: bool = False
    skip_bad_lines: bool = True
    jobs: Count = 0
    cache: NewFolder | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SpottingSettings(JobSettings):
    """Settings of all jobs that search pages.

    Attributes
    ----------
    pages : path or sequence of path
        Images, or folders of them.
    jobs : int
        Number of processor cores to use; 0 for all.
    cluster : str, optional
        Address of a Dask scheduler, such as tcp://host:8786, whose workers do the work instead.
        Its messages can run any code: trust the scheduler and everyone who can reach it.
        tls://host:8786 is encrypted, with the certificates from Dask's settings
        (distributed.comm.tls).
    cache : path, optional
        Folder for the results of finished pages. [default: in the user's cache folder]
    """

    pages: Paths = field(kw_only=False)
    jobs: Count = 0
    cluster: str | None = None
    cache: NewFolder | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class InkJobSettings(SpottingSettings):
    """Settings of all jobs that look for symbols in the ink of pages.

    Attributes
    ----------
    ink : "even", "otsu", "sauvola", "wolf" or InkSettings
        Method that separates ink from paper (binarisation).
    remove_rulings : bool
        Remove the lines of squared and lined paper from the ink.
    specks : int
        Remove connected ink of at most this area, in px. [default: none]
    smallest : int
        Remove connected ink whose larger side is shorter than this, in px. [default: none]
    colour : str, optional
        Keep only ink of this colour. [default: all ink]
    tolerance : int
        Largest difference in hue from --colour, in degrees.
    tone : "auto", "dark" or "light"
        Whether ink is darker or lighter than the paper; auto takes for ink what there is less of on
        each page.
    collection_ink : bool
        Use the ink settings that the window has kept with the pages; the other settings of ink are
        then ignored.
    """

    ink: Literal["even", "otsu", "sauvola", "wolf"] | InkSettings = "even"
    remove_rulings: bool = False
    specks: Pixels = 0
    smallest: Pixels = 0
    colour: str | None = None
    tolerance: Degrees = 30
    tone: Literal["auto", "dark", "light"] = "auto"
    collection_ink: bool = False


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SymbolSpottingSettings(InkJobSettings):
    """Settings of `spot_symbols`.

    Attributes
    ----------
    queries : str, path, (page, (x, y, width, height)), mapping, or several of these, optional
        A label, whose model is cropped from the pages; PAGE:x,y,width,height or a pair (px); an
        image file of a symbol; or a mapping of names to these or to (H, W) uint8 arrays. By default
        every label of the truth. For method "f" images and places are further examples.
    method : str
        Spotting method: a to d as in the paper, e by spotlab, f learned from all labelled regions,
        or the name of an installed extension's.
    models : path, optional
        Folder with an image for each query; the file name is the name of the query.
    lessons : path or sequence of path, optional
        Labelled page, or folder of labelled pages, with every symbol labelled: all its regions are
        query models together, and scores are probabilities calibrated there. Method f learns from
        them. [default for method f: all labelled pages, each left out of its own lessons]
    truth : GroundTruth, path or sequence of path, optional
        Truth with the symbols from which models are cropped. [default: beside the pages]
    strict : bool
        Refuse truth in which anything cannot be read. By default it is left out and named.
    models_per_label : int, optional
        Number of query models per label; not for method f. [default: 1; with --lessons 20]

        Where several match a place, the best score counts.
    seed : int, optional
        Seed for choosing the models of a label at random. [default: models of typical size]
    leave_out_models : bool
        Leave out the spot that is the query model itself. Without this, `evaluate` ignores the
        model and its spot.
    max_spots : int, optional
        Keep at most this many spots per query. [default: all]
    min_score : float, optional
        Smallest score of a spot to keep. [default: 0.4 for method e, 0.3 for method f and with
        --lessons, none for the others]
    mend : bool
        Repair broken strokes and walls.
    """

    queries: SymbolQueries | None = field(default=None, kw_only=False)
    method: str = "e"
    models: Folder | None = None
    lessons: Paths | None = None
    truth: GroundTruth | Paths | None = None
    strict: bool = False
    models_per_label: Number | None = None
    seed: Count | None = None
    leave_out_models: bool = False
    max_spots: Number | None = None
    min_score: float | None = None
    mend: bool = True


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ProposalSettings(InkJobSettings):
    """Settings of `spot_propose`.

    Attributes
    ----------
    pages : path or sequence of path
        Pages with truth: folder, image with its truth beside it, or truth file; may be given
        several times.
    lessons : path or sequence of path, optional
        Labelled pages to learn from, given like the pages; may be given several times. A page is
        never a lesson for a page of its own name. [default: none]
    """

    lessons: Paths | None = None


WordInkName: TypeAlias = Literal["none", "otsu", "sauvola", "wolf"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class WordSpottingSettings(SpottingSettings, ReScoringSettings):
    """Settings of `spot_words`.

    Attributes
    ----------
    queries : str, (page, (x, y, width, height)), or several of these
        A text that is written on the pages, or a box on a page (px), also as
        PAGE:x,y,width,height. A box may be drawn loosely. A mapping of names to boxes makes one
        query of all boxes of a name: several examples of the same word. A text that is transcribed
        nowhere is searched as it is typed.
    texts : str or sequence of str
        Text to search as it is typed, whether or not it is transcribed; * stands for any
        characters: orde*. Words beside each other are a phrase; cat AND dog finds both on pages
        that have both, cat OR dog either. May be given several times. Needs a learned descriptor.
    truth : path or sequence of path, optional
        PAGE XML with transcribed words, or a folder of such files. [default: beside the pages]
    lists : str or sequence of str
        Ranked lists to make, separated by commas.

        Names of fusions.
    tau : float
        Smallest score of a hit.

        Larger: fewer and surer words are found. Smaller: more words are found, also wrong ones.
    tight : float
        Smallest score of a hit that is used as a further query.

        On its own page and on those before and after it. Larger: fewer words are, and less is
        added. Smaller: more is found, also by wrong words.
    depth : int
        Largest number of words that are ranked for a query, besides all hits.
    combine : "maximum" or "mean"
        How several examples of a query make one score: the best score, or that of their mean.
    overlap : float, optional
        Overlap, as a share of a box, above which only the better of two boxes is kept. [default:
        0.5; with --given-boxes all are kept]
    ink : "none", "otsu", "sauvola" or "wolf"
        Method that separates ink from paper (binarisation); none takes the darkness itself.
    descriptor : "strokes", "learned" or "both"
        What words are compared by: strokes (nothing is trained), a trained network, or both.
        Without an installed network, both means strokes.
    network : path, optional
        Network that describes the words (.onnx). [default: the one that was adapted to the pages,
        else the one that comes with spotlab]
    adapted : bool
        Whether a network that was adapted to the pages describes the words. [default: adapted]
    lexicon : path, optional
        Text file with a word per line, with its frequency behind it or the most frequent first: the
        words that proposed readings consist of. [default: the list of the language]

        Transcribed words are added.
    language : str
        Language of the words that readings are proposed of: english, french, german, latin, or that
        of a list of your own. [default: the one that fits the pages]
    given_boxes : bool
        Search only among the word boxes of the truth.
    all_instances : bool
        Search a text with each of its instances as a query.
    """

    queries: WordQueries = field(default=(), kw_only=False)
    texts: Texts = ()
    truth: Paths | None = None
    lists: Texts = ("ws", "qe", "cr", "ml", "ml_cr")
    tau: float = 0.7
    tight: float = 0.8
    depth: Number = 200
    combine: Literal["maximum", "mean"] = "maximum"
    overlap: BoxOverlap | None = None
    ink: WordInkName = "none"
    descriptor: Literal["strokes", "learned", "both"] = "both"
    network: File | None = None
    adapted: bool = True
    lexicon: File | None = None
    language: str = ""
    given_boxes: bool = False
    all_instances: bool = False


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class WordAdaptationSettings(JobSettings):
    """Settings of `adapt_words`.

    Attributes
    ----------
    pages : path or sequence of path
        Images, or folders of them.
    minutes : float
        Minutes to learn. Finding, describing and reading the words is not counted.
    steps : int
        Steps to learn instead; the same seed then gives the same network.
    seed : int
        Seed of all chance.
    lexicon : path, optional
        Text file with a word per line, with its frequency behind it or the most frequent first: the
        words that may be written. [default: the list of the language]
    language : str
        Language of the words: english, french, german, latin, or that of a list of your own.
        [default: the one that fits the pages]
    truth : path or sequence of path, optional
        PAGE XML with transcribed words, or a folder of such files. [default: beside the pages]
    fonts : path, optional
        Folder with fonts of handwriting (.ttf, .otf). Words that they draw are learned beside those
        of the pages.
    light : bool
        Fit the last layers only. This is also done where PyTorch is not installed, and needs
        transcribed or judged words to help.
    given_boxes : bool
        Take the word boxes of the truth instead of finding words.
    ink : "none", "otsu", "sauvola" or "wolf"
        Method that separates ink from paper (binarisation); none takes the darkness itself.
    out : path, optional
        File for the adapted network (.onnx), for spot words --network. [default: adapted-words.onnx
        beside the pages, which searches there use from then on]
    cache : path, optional
        Folder for the results of finished pages. [default: in the user's cache folder]
    jobs : int
        Number of processor cores to use; 0 for all.
    """

    pages: Paths = field(kw_only=False)
    minutes: Positive = 1.0
    steps: Count = 0
    seed: Count = 0
    lexicon: File | None = None
    language: str = ""
    truth: Paths | None = None
    fonts: Folder | None = None
    light: bool = False
    given_boxes: bool = False
    ink: WordInkName = "none"
    out: NewFile | None = None
    cache: NewFolder | None = None
    jobs: Count = 0


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DisplacementSettings(JobSettings):
    """Settings of `displacement`.

    Attributes
    ----------
    ideal : path, DataFrame or mapping
        CSV or a table with a row for each item that a subject ranks: query, rank (from 1), item,
        relevance, and subject where there are several.
    answers : path, DataFrame, or several of these
        CSV or a table with a row for each item that is returned: query, rank (from 1), item, and
        system where there are several.
    missing : "optimist" or "pessimist"
        Assumed rank of an item that an answer lacks: directly after the answer (optimist), or at
        the end of the collection (pessimist).
    size : int, optional
        Number of items in the collection, for --missing pessimist. [default: the number of items
        named in the files]
    quality : "rational" or "exponential"
        Quality that follows from a displacement w: 1 / (1 + w) ** p, or exp(−λ w).
    steepness : float
        Exponent p or λ of the quality.
    strict : bool
        Refuse files in which anything cannot be read. By default it is left out and named.
    skip_bad_lines : bool
        Opposite of `strict`, for older scripts.
    """

    ideal: JudgementSource = field(kw_only=False)
    answers: AnswerSources = field(kw_only=False)
    missing: Literal["optimist", "pessimist"] = "optimist"
    size: Number | None = None
    quality: Literal["rational", "exponential"] = "rational"
    steepness: Positive = 1.0
    strict: bool = False
    skip_bad_lines: bool = True


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class UncertainTruthSettings(JobSettings):
    """Settings of `uncertain`.

    Attributes
    ----------
    judgements : path, DataFrame or mapping
        CSV or a table with a row for each judgement: subject, item, category.
    tree : path, DataFrame or mapping
        CSV or a table with a row for each category: category, parent; the root has no parent. Or a
        mapping of categories to their parents.
    answers : path, DataFrame, or several of these
        CSV or a table with a row for each item that is returned: query, rank (from 1), item, and
        system where there are several. A query is an item that was judged, or a category.
    cut_offs : sequence of int
        Rank at which to measure; may be given several times. [default: every rank up to 200, then
        in steps of 2 %]
    compare_at : int, optional
        Rank at which systems are compared. [default: the largest cut-off that all answers
        reach, else the last that all reach; the expected number of relevant items for answers that
        rank the same items]
    mixture : "direct" or "whole-tree"
        Categories over which a query is averaged: those assigned to it (direct), or also all their
        ancestors (whole-tree).
    unjudged : "undefined" or "left-out"
        Treatment of items that nobody judged: figures are undefined from that rank on, or the items
        are left out.
    relevance : "auto", "shares" or "learned"
        Probability that an item is relevant: the share of the subjects who say so (shares), or the
        probability of truth, learned from how the subjects agree (learned). By default it is
        learned where 30 items or more have 20 judgements or fewer.
    shift : float, optional
        Standard deviation of a common shift of all subjects' log odds; models errors that all
        subjects share. [default: 0 for shares, 1.2 for learned]

        The bands are wider then, and hold what an expert says more often. What all or none of the
        subjects assigned stays.
    quality : "rational" or "exponential"
        Quality that follows from a weighted displacement w: 1 / (1 + w) ** p, or exp(−λ w).
    steepness : float
        Exponent p or λ of the quality.
    strict : bool
        Refuse files in which anything cannot be read. By default it is left out and named.
    skip_bad_lines : bool
        Opposite of `strict`, for older scripts.
    """

    judgements: JudgementSource = field(kw_only=False)
    tree: TreeSource = field(kw_only=False)
    answers: AnswerSources = field(kw_only=False)
    cut_offs: Sequence[Number] = ()
    compare_at: Number | None = None
    mixture: Literal["direct", "whole-tree"] = "direct"
    unjudged: Literal["undefined", "left-out"] = "undefined"
    relevance: Literal["auto", "shares", "learned"] = "auto"
    shift: NotNegative | None = None
    quality: Literal["rational", "exponential"] = "rational"
    steepness: Positive = 1.0
    strict: bool = False
    skip_bad_lines: bool = True
