"""The space in which words are compared: by strokes, by what was learned, or by both."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import NotSaved, counted, reason
from spotlab.extras import linalg
from spotlab.files import is_file
from spotlab.formats.collection.folder import PageEntry, common_folder
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import parse_json
from spotlab.geometry.polygon import pair_boxes
from spotlab.representation import short_repr
from spotlab.spotting.words.extraction.descriptor import WordDescriptor
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.trust import own_file

DIMENSIONS = 96

_SAMPLE = 8000  # rows: more only take longer
_SEED = 20260101
_PRINCIPAL = 400  # directions among which those are looked for that tell words apart
_FLOOR = 0.3  # of the mean disturbance is added to that of each direction
_PAIRS = 0.5  # weight of what likely pairs differ in, next to what disturbances change
_ROUNDS = 2
_FEWEST_PAIRS = 20
_FEW = 0.5  # of the columns: with fewer rows it takes less time to look at the rows

Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]
Partners = Callable[[NDArray[np.float32], NDArray[np.int64]], Pairs]


@dataclass(frozen=True, eq=False)
class Projection:
    """Linear discriminants, or principal components.

    Attributes
    ----------
    mean : (D,) float32
    components : (k, D) float32
        At most 96; fewer where there were fewer rows.
    carried : int
        Number of columns after these D that are not projected but stay as they are, in proportion
        to the others.
    """

    mean: NDArray[np.float32]
    components: NDArray[np.float32]
    carried: int = 0

    __repr__ = short_repr

    @classmethod
    def fit(
        cls,
        raw: NDArray[np.float32],
        changes: NDArray[np.float32] | None = None,
        dimensions: int = DIMENSIONS,
        *,
        carried: int = 0,
        partners: Partners | None = None,
    ) -> Projection:
        """Learn it from descriptors, such as those of a whole collection.

        Nobody has to say which words are the same: each word is the same as itself disturbed. The
        directions are those in which words differ most compared with what a disturbance changes.

        Parameters
        ----------
        raw : (N, D) float32
            As `describe` gives them. Of more than 8,000 rows some are drawn, always the same.
        changes : (M, D) float32, optional
            Of `describe_with_changes`. Without, the directions are principal components.
        dimensions : int
            Number of directions at most.
        carried : int
            Number of the last columns that are not projected.
        partners : callable, optional
            Finds pairs of rows that are most likely the same word, given (N, k) unit features of
            the rows used and their numbers. What these differ in is discounted, too; two rounds.

        References
        ----------
        Fisher (1936), "The use of multiple measurements in taxonomic problems", Annals of Eugenics
        7: the discriminant, with each word as a class of its own.

        Examples
        --------
        >>> rows = np.eye(5, dtype=np.float32)
        >>> Projection.fit(rows, dimensions=2).apply(rows).shape
        (5, 2)
        >>> changes = np.array([[0, 0, 1, 0, 0], [0, 0, -1, 0, 0]], np.float32)
        >>> int(np.abs(Projection.fit(rows, changes, 2).components).sum(axis=0).argmin())
        2
        """
        if carried and changes is not None:
            changes = changes[:, :-carried]
        used = np.flatnonzero(raw.any(axis=1))  # nothing is to be learned from boxes without ink
        if len(used) > _SAMPLE:
            used = np.sort(np.random.default_rng(_SEED).choice(used, _SAMPLE, replace=False))
        rows = raw[used]
        heads = rows[:, : raw.shape[1] - carried]
        mean = heads.mean(axis=0) if len(rows) else np.zeros(heads.shape[1], np.float32)
        learns = changes is not None and len(changes) > 0
        principal, spread = _principal(heads - mean, _PRINCIPAL if learns else dimensions)
        if not learns or changes is None:
            return cls(mean, _rows_of(principal, dimensions), carried)
        within = _scatter(changes @ principal)
        projection = cls(
            mean, _rows_of(principal @ _discriminants(spread, within, dimensions)), carried
        )
        places = (heads - mean) @ principal
        for _ in range(_ROUNDS if partners is not None else 0):
            assert partners is not None
            one, other = partners(projection.apply(rows), used)
            if len(one) < _FEWEST_PAIRS:
                break
            both = within + _PAIRS * _scatter(places[one] - places[other])
            projection = cls(
                mean, _rows_of(principal @ _discriminants(spread, both, dimensions)), carried
            )
        return projection

    def apply(self, raw: NDArray[np.float32]) -> NDArray[np.float32]:
        """Project descriptors.

        Parameters
        ----------
        raw : (N, D) float32

        Returns
        -------
        (N, k) float32
            Rows of length 1, whose products are similarities; zero rows stay zero.
        """
        heads = raw[:, : len(self.mean)]
        rows = np.asarray((heads - self.mean) @ self.components.T, np.float32)
        if self.carried:
            rows = _with_tails(rows, raw[:, len(self.mean) :], heads)
        rows[~raw.any(axis=1)] = 0
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(length > 0, length, 1), np.float32)


def _principal(
    centred: NDArray[np.float32], count: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(D, k) directions of most variance, and (k,) that variance; as exact as descriptors are."""
    rows, size = centred.shape
    count = min(count, size, max(1, rows - 1))
    if 0 < rows <= size * _FEW:  # looked for among the directions that there are
        basis, within = linalg.qr(centred.T, mode="economic")
        vectors, values = _largest(within @ within.T / np.float32(rows), count)
        return basis @ vectors, values
    return _largest(centred.T @ centred / np.float32(max(rows, 1)), count)


def _largest(
    scatter: NDArray[np.float32], count: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The eigenvectors of the largest eigenvalues, as columns, and these; the largest first."""
    size = len(scatter)
    values, vectors = linalg.eigh(scatter, subset_by_index=[size - count, size - 1])
    return np.ascontiguousarray(vectors[:, ::-1]), np.maximum(values[::-1], 0)


def _with_tails(
    rows: NDArray[np.float32], tails: NDArray[np.float32], heads: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Rows with the columns that were carried, as long next to them as they were before."""

    def length(part: NDArray[np.float32]) -> NDArray[np.float32]:
        long = np.linalg.norm(part, axis=1, keepdims=True)
        return np.asarray(np.where(long > 0, long, 1), np.float32)

    return np.concatenate([rows / length(rows), tails / length(heads)], axis=1)


def _rows_of(directions: NDArray[np.floating], count: int | None = None) -> NDArray[np.float32]:
    return np.ascontiguousarray(directions[:, :count].T, np.float32)


def _scatter(changes: NDArray[np.float32]) -> NDArray[np.float64]:
    """Mean product of changes, of trace 1."""
    scatter = (changes.T @ changes).astype(np.float64)
    return np.asarray(scatter / max(float(np.trace(scatter)), 1e-12))


def _discriminants(
    spread: NDArray[np.float32], within: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """(k, count) directions in which the spread is largest compared with what is within words."""
    within = within.copy()
    size = len(within)
    within[np.diag_indices(size)] += _FLOOR * np.trace(within) / size + 1e-12
    count = min(count, size)
    _, vectors = linalg.eigh(np.diag(spread), within, subset_by_index=[size - count, size - 1])
    return np.asarray(vectors[:, ::-1])


LEARNED_DIMENSIONS = 128
# of learned cosines, per standard deviation; chosen on pages of letters, which have most with 2,
# and on photographs of diagrams by other writers, which have most with 6
LEARNED_WEIGHT = 3.5
_ROWS = 500  # words whose cosines with each other tell how much cosines differ


@dataclass(frozen=True, eq=False)
class FeatureSpace:
    """Makes features whose products are the similarities of words.

    Attributes
    ----------
    strokes : Projection or None
        Of descriptors of strokes.
    learned : Projection or None
        Of a network's embeddings.
    share : float
        Weight of the learned cosine in the sum of both, in [0, 1].
    """

    strokes: Projection | None
    learned: Projection | None = None
    share: float = 0.0

    __repr__ = short_repr

    def apply(
        self, raw: NDArray[np.float32], embedding: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Make features of words.

        Parameters
        ----------
        raw : (N, D) float32
            Descriptors of their strokes.
        embedding : (N, E) float32, optional
            What a network says of them; needed where the space has a learned part.

        Returns
        -------
        (N, k) float32
            Rows of length 1; 0 where there is no ink.

        Examples
        --------
        >>> rows = np.eye(5, dtype=np.float32)
        >>> space = FeatureSpace(Projection.fit(rows), Projection.fit(rows), share=0.5)
        >>> bool(np.allclose(np.linalg.norm(space.apply(rows, rows), axis=1), 1))
        True
        """
        parts = []
        if self.strokes is not None:
            parts.append(self.strokes.apply(raw) * np.float32(np.sqrt(1 - self.share)))
        if self.learned is not None:
            assert embedding is not None
            parts.append(self.learned.apply(embedding) * np.float32(np.sqrt(self.share)))
        if len(parts) == 1:
            return _of_length_one(parts[0])
        both = np.concatenate(parts, axis=1)
        both[~raw.any(axis=1)] = 0
        return _of_length_one(both)


def learned_projection(embeddings: NDArray[np.float32]) -> Projection:
    """Project embeddings onto the directions in which they are longest, which keeps their cosines.

    Parameters
    ----------
    embeddings : (N, E) float32

    Examples
    --------
    >>> rows = np.array([[3, 0, 1], [1, 0, 3]], np.float32)
    >>> features = learned_projection(rows).apply(rows)
    >>> round(float(features[0] @ features[1]), 3)
    0.6
    """
    size = embeddings.shape[1]
    count = min(LEARNED_DIMENSIONS, size)
    products = (embeddings.T @ embeddings).astype(np.float64) / max(len(embeddings), 1)
    _, vectors = linalg.eigh(products, subset_by_index=[size - count, size - 1])
    components = np.ascontiguousarray(vectors[:, ::-1].T, np.float32)
    return Projection(np.zeros(size, np.float32), components)


def learned_share(strokes: NDArray[np.float32], learned: NDArray[np.float32]) -> float:
    """Choose the weight with which both parts differ as much between different words.

    Parameters
    ----------
    strokes, learned : (N, k) float32
        Features of the same words, rows of length 1.

    Returns
    -------
    float
        In (0, 1).

    Examples
    --------
    >>> rows = np.random.default_rng(0).standard_normal((50, 3)).astype(np.float32)
    >>> rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    >>> round(learned_share(rows, rows), 3)
    0.778
    """
    one, other = (1 / max(_spread(rows), 1e-6) for rows in (strokes, learned))
    return LEARNED_WEIGHT * other / (one + LEARNED_WEIGHT * other)


def _spread(rows: NDArray[np.float32]) -> float:
    """Standard deviation of the cosines of different words."""
    some = rows[:: max(1, len(rows) // _ROWS)]
    if len(some) < 3:
        return 1.0
    return float((some @ some.T)[np.triu_indices(len(some), 1)].std())


def _of_length_one(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length > 0, length, 1), np.float32)


NAME = "adapted-words.onnx"
KEY = "adapted"  # of the network's metadata


@dataclass(frozen=True)
class Adaptation:
    """Record of a network's adaptation.

    Attributes
    ----------
    date : str
        YYYY-MM-DD.
    learned : int
        Words it has learned from.
    known : int
        Those of them that were transcribed or judged; the others were read.
    held_out : int
        Transcribed or judged words by which the figures were measured.
    before, after : mapping of str to (float or None)
        Mean average precision of these in [0, 1], by name: "by example" and "typed".
    light : bool
        Whether the last layers only were fitted.
    made_from : str
        Digest of the network as it was before.
    """

    date: str
    learned: int
    known: int
    held_out: int = 0
    before: Mapping[str, float | None] | None = None
    after: Mapping[str, float | None] | None = None
    light: bool = False
    made_from: str = ""

    @property
    def gains(self) -> dict[str, tuple[float, float]]:
        """Figures in [0, 1] before and after, by name, as far as there are any.

        Examples
        --------
        >>> Adaptation("2026-11-23", 500, 0, 9, {"typed": 0.8}, {"typed": 0.9}).gains
        {'typed': (0.8, 0.9)}
        """
        before, after = self.before or {}, self.after or {}
        return {
            name: (then, now)
            for name, now in after.items()
            if now is not None and (then := before.get(name)) is not None
        }

    @property
    def told(self) -> str:
        """Return what it brought, in a line.

        Examples
        --------
        >>> Adaptation("2026-11-23", 500, 0).told
        'adapted on 2026-11-23 from 500 words'
        >>> Adaptation("2026-11-23", 500, 40, 9, {"typed": 0.8}, {"typed": 0.9}).told
        'adapted on 2026-11-23 from 500 words; typed .800 → .900'
        """
        gains = [
            f"{name} {share_text(then)} → {share_text(now)}"
            for name, (then, now) in self.gains.items()
        ]
        return "; ".join([f"adapted on {self.date} from {counted(self.learned, 'word')}", *gains])


def share_text(value: float) -> str:
    """A mean average precision as it is written.

    Parameters
    ----------
    value : float
        In [0, 1].

    Examples
    --------
    >>> share_text(0.8), share_text(1)
    ('.800', '1.000')
    """
    return f"{value:.3f}".removeprefix("0")


def adapted_file(entries: Sequence[PageEntry]) -> Path | None:
    """Tell where the adapted network of pages is, or will be: in the folder that has all of them.

    Parameters
    ----------
    entries : sequence of PageEntry

    Examples
    --------
    >>> adapted_file([]) is None
    True
    """
    folder = common_folder(entries)
    return None if folder is None else folder / NAME


def with_adapted(settings: WordSettings, entries: Sequence[PageEntry]) -> WordSettings:
    """Describe the words of pages by the network that was adapted to them, if there is one.

    Parameters
    ----------
    settings : WordSettings
        Those that name a network, compare by strokes, or do not want it stay as they are.
    entries : sequence of PageEntry

    Examples
    --------
    >>> with_adapted(WordSettings(), []) == WordSettings()
    True
    """
    wanted = settings.adapted and settings.network is None
    if not wanted or settings.descriptor is WordDescriptor.STROKES:
        return settings
    file = adapted_file(entries)
    return replace(settings, network=file) if file is not None and is_file(file) else settings


def write_adapted(file: Path, content: bytes) -> None:
    """Keep an adapted network; where that fails, leave what was there.

    Parameters
    ----------
    file : Path
        As `adapted_file` names it.
    content : bytes

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …
    """
    write_atomically(own_file(file), content)


def remove_adapted(file: Path) -> bool:
    """Describe words by the network as it came again.

    Parameters
    ----------
    file : Path
        As `adapted_file` names it.

    Returns
    -------
    bool
        Whether there was an adapted one.

    Raises
    ------
    NotSaved
        It cannot be removed.
    """
    try:
        file.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise NotSaved(f"{file} cannot be removed: {reason(error)}") from error
    return True


def adaptation_of(metadata: Mapping[str, str]) -> Adaptation | None:
    """Tell how a network was adapted; None where it was not.

    Parameters
    ----------
    metadata : mapping of str to str
        Of a `WordNetwork`.

    Examples
    --------
    >>> adaptation_of({}) is None
    True
    >>> one = Adaptation("2026-11-23", 500, 40)
    >>> adaptation_of(metadata_of_adaptation(one)) == one
    True
    """
    with suppress(ValueError, TypeError):
        said = parse_json(metadata.get(KEY, ""))
        return Adaptation(**said)
    return None


def metadata_of_adaptation(adaptation: Adaptation) -> dict[str, str]:
    """Metadata that say how a network was adapted.

    Parameters
    ----------
    adaptation : Adaptation
    """
    return {KEY: json.dumps(asdict(adaptation))}


_COMPARED = 4_000  # items that are compared; more only take longer
_NEAREST = 3
_SURE = 0.8  # share of mutual neighbours, from the most similar on, that are taken
_DRAWN = 20260102


def likely_pairs(
    features: NDArray[np.float32], page: NDArray[np.int64], boxes: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find mutual nearest neighbours at different places.

    Each of two items is among the three that resemble the other most, not counting those that lie
    on it. Of these pairs the more similar four fifths are taken.

    Parameters
    ----------
    features : (N, k) float32
        Rows of length 1, or 0 where there is no ink. Of more than 4,000 some are drawn, always the
        same.
    page : (N,) int
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    one, other : (P,) int

    Examples
    --------
    >>> features = np.array([[1, 0], [0, 1], [1, 0]], np.float32)
    >>> likely_pairs(features, np.zeros(3, int), np.array([[0, 0, 9, 9], [20, 0, 29, 9],
    ...              [40, 0, 49, 9]], float))
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    drawn = np.arange(len(features))
    if len(drawn) > _COMPARED:
        drawn = np.sort(np.random.default_rng(_DRAWN).choice(drawn, _COMPARED, replace=False))
    near, score = _nearest(features[drawn], page[drawn], boxes[drawn])
    own = np.arange(len(drawn))[:, None]
    mutual = (near[near] == own[:, :, None]).any(axis=2) & (own < near) & np.isfinite(score)
    one, column = np.nonzero(mutual)
    other, alike = near[one, column], score[one, column]
    sure = np.argsort(-alike, kind="stable")[: int(np.ceil(_SURE * len(alike)))]
    sure.sort()
    return drawn[one[sure]], drawn[other[sure]]


def _nearest(
    features: NDArray[np.float32], page: NDArray[np.int64], boxes: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """(N, 3) the nearest others elsewhere and their scores, -inf where there is none."""
    count = min(_NEAREST, max(len(features) - 1, 0))
    near = np.zeros((len(features), count), np.int64)
    score = np.full((len(features), count), -np.inf, np.float32)
    for number in np.unique(page).tolist() if count else ():
        here = np.flatnonzero(page == number)
        rows = features[here] @ features.T
        lying = pair_boxes(boxes[here], boxes[here])
        rows[lying.first, here[lying.second]] = -np.inf
        rows[np.arange(len(here)), here] = -np.inf
        best = np.argpartition(rows, -count, axis=1)[:, -count:]
        near[here], score[here] = best, np.take_along_axis(rows, best, axis=1)
    return near, score
