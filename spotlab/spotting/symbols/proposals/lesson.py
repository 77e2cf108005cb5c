"""Training examples from a page with labelled regions: candidates that show them, and others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints, Points
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import Ink, InkSettings, InkTone
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.stroke_outline import take_ink
from spotlab.model import Truth
from spotlab.spotting.symbols.embedding.network import shipped_network
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QueryFeatures
from spotlab.spotting.symbols.proposals.candidates import (
    OWN,
    PLACED,
    Rows,
    bounding_ring,
    describe_appearance,
    described_example,
    described_once,
    example_region,
    figures_count,
    find_candidates,
    is_box,
    overlaps,
    page_appearance,
)

SHOWS = 0.65  # overlap (IoU) from which a candidate shows a region
MISSES = 0.4  # and below which it does not
_TOUCHES = 0.1  # overlap from which what is not a region is still near one
_PART = 0.5  # of the smaller box inside the other: likewise,
_SLIVER = 0.02  # unless it is much smaller, as what stands in a room is
_ANSWERED = 3.0  # how much a region counts on the page that is worked on: others look like it
_REJECTED = 30.0  # how much a rejected proposal counts: it looked like many regions
_MOST = 150  # candidates near regions, and as many elsewhere, that are kept of a page


@dataclass(frozen=True, eq=False)
class Lesson:
    """Rows of one page, with what they show.

    Attributes
    ----------
    page : str
    boxes : (N, 4) float
        Left, top, right, bottom in px.
    rows : (N, D) float32
        See `describe_appearance`.
    labels : tuple of str
        N; "" for what shows no region.
    stands_for : (N,) float
        Number of the page's candidates that a row was drawn from, at least 1.
    emphasis : (N,) float
        How much a row counts, usually 1.
    regions : Outlines
        The labelled ones, in px.
    names : tuple of str
        Their labels.
    is_model : bool
        It is a picture of one symbol, and not a page.
    features : PageFeatures or None
        Of the page, so that its regions can be aligned with other pages; large.
    """

    page: str
    boxes: Floats
    rows: Rows
    labels: tuple[str, ...]
    stands_for: Floats
    emphasis: Floats
    regions: Outlines
    names: tuple[str, ...]
    is_model: bool = False
    features: PageFeatures | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, rows: Ints) -> Lesson:
        """Choose rows; the regions stay.

        Parameters
        ----------
        rows : (M,) int
        """
        return replace(
            self, boxes=self.boxes[rows], rows=self.rows[rows],
            labels=tuple(self.labels[row] for row in rows.tolist()),
            stands_for=self.stands_for[rows], emphasis=self.emphasis[rows],
        )  # fmt: skip


def make_lesson(
    page: PageFeatures,
    name: str,
    regions: Outlines,
    names: Sequence[str],
    *,
    rejected: Outlines | None = None,
    unknown: Outlines | None = None,
    complete: bool = True,
    keeps_page: bool = False,
) -> Lesson:
    """Choose what a page teaches.

    A region is shown by its own box and by the candidates that overlap it by `SHOWS`. What misses
    every region is background: candidates near a region always, others only where the page is
    complete. At most 150 of each are kept, always the same. What is neither teaches nothing, but
    it is kept, too: proposals may lie there.

    Parameters
    ----------
    page : PageFeatures
    name : str
        The page's.
    regions : Outlines
        Labelled regions, in px.
    names : sequence of str
        Their labels.
    rejected : Outlines, optional
        Proposals that were rejected: background, too.
    unknown : Outlines, optional
        Areas that teach nothing.
    complete : bool
        All regions of the page are labelled.
    keeps_page : bool
        The lesson has the page's features, so that its regions can be laid onto other pages.

    Returns
    -------
    Lesson

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
    >>> square = Outlines.of([[(2, 2), (12, 2), (12, 12), (2, 12)]])
    >>> make_lesson(page, "plan", square, ["bed"]).labels
    ('bed',)
    """
    candidates, rows = find_candidates(page), page_appearance(page)
    boxes, own = candidates.boxes, regions.bounds
    iou, part = overlaps(boxes, own)
    best = iou.max(1, initial=0)
    showing = np.flatnonzero(best >= SHOWS)
    missing = best < MISSES
    if unknown is not None and len(unknown):
        missing &= ~(overlaps(boxes, unknown.bounds)[1] > _PART).any(1)
    near = missing & ((best > _TOUCHES) | ((part > _PART) & (iou > _SLIVER)).any(1))
    far = missing & ~near if complete else np.zeros(len(boxes), bool)
    draw = np.random.default_rng(0)
    kept = [showing]
    counts = [np.ones(len(showing))]
    for group in (np.flatnonzero(near), np.flatnonzero(far)):
        some = draw.permutation(group)[:_MOST]
        kept.append(some)
        counts.append(np.full(len(some), len(group) / max(len(some), 1)))
    if rejected is not None and len(rejected):
        wrong = np.flatnonzero((overlaps(boxes, rejected.bounds)[0] >= SHOWS).any(1) & missing)
        kept.append(wrong)
        counts.append(np.ones(len(wrong)))
    unclear = np.flatnonzero((best >= MISSES) & (best < SHOWS))
    counts.append(np.ones(len(unclear)))
    numbers = np.concatenate([*kept, unclear])
    emphasis = np.ones(len(own) + len(numbers))
    if not complete:
        emphasis[: len(own) + len(showing)] = _ANSWERED
    emphasis[len(own) + sum(map(len, kept[:3])) :] = _REJECTED
    emphasis[len(emphasis) - len(unclear) :] = 0
    shown = iou.argmax(1) if len(own) else np.zeros(len(boxes), np.int64)
    labels = [names[shown[number]] if best[number] >= SHOWS else "" for number in numbers]
    drawn = described_once(page, regions, OWN)
    fits = np.flatnonzero(iou.max(0, initial=0) >= RIGHT) if len(iou) else np.zeros(0, np.int64)
    drawn[fits, :OWN] = rows[iou[:, fits].argmax(0), :OWN] if len(fits) else 0
    return Lesson(
        name,
        np.vstack([own, boxes[numbers]]),
        np.vstack([drawn, rows[numbers]]),
        (*names, *labels),
        np.concatenate([np.ones(len(own)), *counts]),
        emphasis,
        regions,
        tuple(names),
        features=replace(page, _cached={}) if keeps_page else None,
    )


def lesson_of_truth(
    page: PageFeatures,
    truth: Truth,
    name: str,
    *,
    complete: bool = True,
    keeps_page: bool = False,
) -> Lesson:
    """Choose what a page teaches whose truth is known, see `make_lesson`.

    Parameters
    ----------
    page : PageFeatures
    truth : Truth
        Regions without a label are no examples.
    name : str
        The page's.
    complete, keeps_page : bool
        As in `make_lesson`.
    """
    regions = [region for region in truth.regions if region.label]
    outlines = Outlines.of([region.array for region in regions])
    names = [region.label for region in regions]
    return make_lesson(page, name, outlines, names, complete=complete, keeps_page=keeps_page)


_BESIDE = 4.0  # px around a box within which ink belongs to what is inside
_FILLED = 0.85  # share of its own box from which the box says more than the ink
_FITS = 0.7  # overlap of the boxes from which ink inside a box is what the box is about


def outlines_in_boxes(page: PageFeatures, outlines: Outlines) -> Outlines:
    """Replace upright boxes by the hulls of the ink inside, stretched to the sides of the boxes.

    A box around a door holds parts of its wall and of its neighbours, and a turned copy of a box
    is not the box around a turned door. The form is that of the ink that a stroke along the box
    takes, the extent that of the box. Outlines of other forms stay, and so do boxes that their ink
    fills, or whose ink is not about as large as they are.

    Parameters
    ----------
    page : PageFeatures
        Keeps the result.
    outlines : Outlines
        In px.

    Returns
    -------
    Outlines

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> ink = np.zeros((60, 90), bool)
    >>> ink[20:40, 30:50] = np.tri(20)  # a triangle
    >>> box = Outlines.of([[(30, 20), (50, 20), (50, 40), (30, 40)]])
    >>> inside = outlines_in_boxes(features_of_ink(ink, []), box)
    >>> inside.bounds.tolist(), bool(polygon.area(inside[0]) < 250)
    ([[30.0, 20.0, 50.0, 40.0]], True)
    """
    known = page.cached("outlines in boxes", dict[bytes, Points])
    rings = [outlines[number] for number in range(len(outlines))]
    new = [ring for ring in rings if is_box(ring) and ring.tobytes() not in known]
    ink = page.ink if new else np.zeros((0, 0), bool)
    known.update((ring.tobytes(), _outline_in_box(ink, ring)) for ring in new)
    return Outlines.of([known.get(ring.tobytes(), ring) for ring in rings])


def _outline_in_box(ink: Ink, ring: Points) -> Points:
    box = np.array(polygon.bounds(ring))
    room = int(2 * _BESIDE + (box[2:] - box[:2]).sum())  # what leaves it is a wall, not a symbol
    x, y = np.maximum(box[:2].astype(int) - room, 0).tolist()
    part = ink[y : int(box[3]) + room, x : int(box[2]) + room]
    if not part.any():
        return ring
    pixels = np.where(part, 0, 255).astype(np.uint8)
    stroke = bounding_ring(ring + np.sign(ring - ring.mean(0)) * _BESIDE)
    found = take_ink(PageInk(pixels, InkSettings(tone=InkTone.DARK)), stroke - (x, y)).taken
    outline = np.add(found.outline(), (x, y)) if found else ring
    bounds = np.array(polygon.bounds(outline))
    sides = np.maximum(bounds[2:] - bounds[:2], 1)
    fits = overlaps(bounds[None], box[None])[0].item() >= _FITS
    if not fits or polygon.area(outline) > _FILLED * float(sides.prod()):
        return ring
    scale = (box[2:] - box[:2]) / sides
    return np.asarray((outline - bounds[:2]) * scale + box[:2])


def mostly_boxed(lessons: Sequence[Lesson], labels: Sequence[str]) -> frozenset[str]:
    """List the labels whose regions are mostly upright boxes.

    Parameters
    ----------
    lessons : sequence of Lesson
    labels : sequence of str
        Others are ignored.

    Returns
    -------
    frozenset of str

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (9, 0), (9, 9), (0, 9)]])
    >>> one, rows = np.ones(1), np.zeros((1, 3), np.float32)
    >>> lesson = Lesson("page", square.bounds, rows, ("bed",), one, one, square, ("bed",))
    >>> mostly_boxed([lesson], ["bed", "car"])
    frozenset({'bed'})
    """
    boxes = dict.fromkeys(labels, 0)
    for lesson in lessons:
        for number, name in enumerate(lesson.names):
            if name in boxes:
                boxes[name] += 1 if is_box(lesson.regions[number]) else -1
    return frozenset(label for label, balance in boxes.items() if balance > 0)


def thinned(lessons: Sequence[Lesson], most: int) -> list[Lesson]:
    """Leave out rows where there are too many, the same share of each page's, but no regions.

    Parameters
    ----------
    lessons : sequence of Lesson
    most : int
        Rows of all lessons together, about.

    Returns
    -------
    list of Lesson

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (9, 0), (9, 9), (0, 9)]])
    >>> one, rows = np.ones(1), np.zeros((1, 3), np.float32)
    >>> lesson = Lesson("page", square.bounds, rows, ("bed",), one, one, square, ("bed",))
    >>> [len(thin) for thin in thinned([lesson, lesson], 1)]
    [1, 1]
    """
    total = sum(len(lesson) for lesson in lessons)
    if total <= most:
        return list(lessons)
    kept = []
    for lesson in lessons:
        own = len(lesson.names)
        number = round((len(lesson) - own) * most / total)
        rest = np.linspace(own, len(lesson) - 1, number).round().astype(np.int64)
        kept.append(lesson.take(np.concatenate([np.arange(own), rest])))
    return kept


_OF_PAGE = ("size on page", "x", "y")  # figures that a picture of a symbol does not have


def lesson_of_model(model: QueryFeatures) -> Lesson:
    """Make the lesson of a picture of a symbol.

    Parameters
    ----------
    model : QueryFeatures

    Returns
    -------
    Lesson
        With a single row, whose figures of size and place on a page are NaN.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_model
    >>> from spotlab.spotting.symbols.engine.page_features import draw_model
    >>> box = draw_model("box", [[(0, 0), (30, 0), (30, 20), (0, 20), (0, 0)]], pen=3)
    >>> lesson_of_model(features_of_model(box, methods=[])).names
    ('box',)
    """
    region = example_region(model)
    row = describe_appearance(model.features, region)
    row[:, [_column(name) for name in _OF_PAGE]] = np.nan
    outline = Outlines.of([region.hulls[0]])
    one = np.ones(1)
    return Lesson(
        "", region.boxes, row, (model.name,), one, one, outline, (model.name,), is_model=True
    )


def completed(lessons: Sequence[Lesson]) -> list[Lesson]:
    """Fill in what pictures of symbols do not have: the mean of pages, and a usual scale.

    Parameters
    ----------
    lessons : sequence of Lesson
        At least one of a page.

    Returns
    -------
    list of Lesson
        Without NaN.

    Examples
    --------
    >>> completed([])
    []
    """
    pages = [lesson.rows for lesson in lessons if not lesson.is_model]
    if len(pages) == len(lessons):
        return list(lessons)
    figures = np.vstack(pages)[:, -figures_count() :].mean(0)
    return [
        replace(lesson, rows=_filled(lesson.rows, figures)) if lesson.is_model else lesson
        for lesson in lessons
    ]


def _filled(rows: Rows, figures: Rows) -> Rows:
    filled = rows.copy()
    for name in _OF_PAGE:
        filled[:, _column(name)] = figures[PLACED.index(name)]
    in_pens, on_page = PLACED.index("size in pens"), PLACED.index("size on page")
    scale = figures[on_page] - figures[in_pens]
    filled[:, _column("size on page")] = rows[:, _column("size in pens")] + scale
    return filled


def _column(name: str) -> int:
    return PLACED.index(name) - figures_count()


@dataclass(frozen=True, eq=False)
class LabelledExample:
    """One region that is known to be, or not to be, of a label.

    Attributes
    ----------
    label : str
    query : QueryFeatures
        Of the ink in the region alone.
    is_positive : bool
        It is of the label: drawn or accepted. Otherwise it was rejected: it is not of this label,
        and nothing is known of other labels.
    page : str
        The name of the page where it is.
    outline : (N, 2) float
        Open ring in px of that page.
    """

    label: str
    query: QueryFeatures
    is_positive: bool
    page: str
    outline: Points


@dataclass(frozen=True, eq=False)
class LabelledExamples:
    """All examples, in the order in which they were given.

    Attributes
    ----------
    all : tuple of LabelledExample

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_model
    >>> from spotlab.spotting.symbols.engine.page_features import draw_model
    >>> query = features_of_model(draw_model("bed", [[(0, 0), (20, 0), (20, 10)]], pen=2), [])
    >>> ring = [(0, 0), (20, 0), (20, 10)]
    >>> examples = LabelledExamples().with_accepted("bed", query, "page", ring)
    >>> len(examples), examples.labels
    (1, ('bed',))
    """

    all: tuple[LabelledExample, ...] = ()

    def __len__(self) -> int:
        return len(self.all)

    def with_accepted(
        self, label: str, query: QueryFeatures, page: str, outline: ArrayLike
    ) -> LabelledExamples:
        """Add a region that is of the label: it was drawn, or a proposal was accepted.

        Parameters
        ----------
        label : str
        query : QueryFeatures
            Of the ink in the region.
        page : str
        outline : (N, 2) array_like
            In px of the page.

        Examples
        --------
        >>> from spotlab.spotting.symbols.engine.method import features_of_model
        >>> from spotlab.spotting.symbols.engine.page_features import draw_model
        >>> ring = [(0, 0), (20, 0), (20, 10)]
        >>> query = features_of_model(draw_model("bed", [ring], pen=2), [])
        >>> LabelledExamples().with_accepted("bed", query, "page", ring).labels
        ('bed',)
        """
        return self._and(LabelledExample(label, query, True, page, polygon.as_points(outline)))

    def with_rejected(
        self, label: str, query: QueryFeatures, page: str, outline: ArrayLike
    ) -> LabelledExamples:
        """Add a region that is not of the label: a proposal was rejected.

        Parameters
        ----------
        label : str
        query : QueryFeatures
            Of the ink in the region.
        page : str
        outline : (N, 2) array_like
            In px of the page.

        Examples
        --------
        >>> from spotlab.spotting.symbols.engine.method import features_of_model
        >>> from spotlab.spotting.symbols.engine.page_features import draw_model
        >>> ring = [(0, 0), (20, 0), (20, 10)]
        >>> query = features_of_model(draw_model("bed", [ring], pen=2), [])
        >>> LabelledExamples().with_rejected("bed", query, "page", ring).labels
        ()
        """
        return self._and(LabelledExample(label, query, False, page, polygon.as_points(outline)))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels with a positive example, in alphabetical order; "" is none."""
        return tuple(
            sorted({example.label for example in self.all if example.is_positive and example.label})
        )

    def of(self, label: str) -> list[LabelledExample]:
        """List the positive examples of a label.

        Parameters
        ----------
        label : str
        """
        return [each for each in self.all if each.is_positive and each.label == label]

    def wrong_for_right(self, label: str) -> float:
        """Count the rejected examples of a label for each positive one, or for one if none is.

        Parameters
        ----------
        label : str
        """
        right = len(self.of(label))
        wrong = sum(not each.is_positive and each.label == label for each in self.all)
        return wrong / max(right, 1)

    def share_right(self, label: str, page: str) -> float:
        """Compute the share of a page's answers about a label that were no rejections.

        Parameters
        ----------
        label : str
        page : str

        Returns
        -------
        float
            In (0, 1], as if one more had been right; 1 without any.
        """
        answers = [
            each.is_positive for each in self.all if (each.label, each.page) == (label, page)
        ]
        return (sum(answers) + 1) / (len(answers) + 1)

    def are_boxes(self, label: str) -> bool:
        """Tell whether most positive examples of a label are upright boxes.

        Parameters
        ----------
        label : str
        """
        own = [is_box(each.outline) for each in self.of(label)]
        return 2 * sum(own) > len(own)

    def _and(self, example: LabelledExample) -> LabelledExamples:
        return LabelledExamples((*self.all, example))


EASIEST = 0.15  # score from which proposals are shown while nothing is known
_OTHERS = 1 / EASIEST - 1  # regions of the same label on a page, before any is known
STRICTER = 0.4  # added, times the share of rejected ones among the latest examples
RECENT = 40  # examples


def min_shown_score(examples: LabelledExamples) -> float:
    """Compute the score from which about every second proposal or more is accepted.

    Parameters
    ----------
    examples : LabelledExamples
        The fewer regions of a label there are on a page, and the more proposals were rejected of
        late, the higher the score: most symbols of a plan are there once, tasks of a diagram often.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> min_shown_score(LabelledExamples())
    0.15
    """
    places = Counter((each.page, each.label) for each in examples.all if each.is_positive)
    others = (places.total() - len(places) + _OTHERS) / (len(places) + 1)
    even = 1 / (1 + others)
    recent = examples.all[-RECENT:]
    rejected = sum(not example.is_positive for example in recent)
    return even + STRICTER * (1 - even) * rejected / max(len(recent), 1)


_TELLING = 4  # examples of a label, from which one can be unlike the others
_UNLIKE = 0.5  # 1 - cosine to the most similar other one from which an example is untypical,
_MORE = 4.0  # and so many times that of most examples


def untypical_example(examples: LabelledExamples, page: str) -> LabelledExample | None:
    """Find the example of a page that looks least like the others of its label.

    Parameters
    ----------
    examples : LabelledExamples
        Of any pages.
    page : str

    Returns
    -------
    LabelledExample or None
        None where all look like another one, and for labels with fewer than four examples.

    Examples
    --------
    >>> print(untypical_example(LabelledExamples(), "plan"))
    None
    """
    network, found, farthest = shipped_network(), None, _UNLIKE
    for label in examples.labels:
        own = examples.of(label)
        if len(own) < _TELLING:
            continue
        poses = np.stack([described_example(each.query, network) for each in own])
        alike = np.einsum("ipd,jd->ijp", poses, poses[:, 0]).max(2)
        np.fill_diagonal(alike, -1)
        apart = 1 - alike.max(1)
        least = max(farthest, _MORE * float(np.median(apart)))
        for example, distance in zip(own, apart.tolist(), strict=True):
            if example.page == page and distance > least:
                found, farthest, least = example, distance, distance
    return found


SAME = 0.4  # overlap of boxes from which two regions are about the same thing
PART = 0.8  # of the smaller box inside the other: it may be a part of it
LARGE_PART = 0.25  # overlap from which a part of anything is closed
RIGHT = 0.5  # overlap with a region of its label from which a candidate is right
_LOWEST = 0.02  # score that is looked at


def best_of_each_place(boxes: Floats, scores: Floats, lowest: float = _LOWEST) -> Ints:
    """Choose candidates from the best down, none at the place of another.

    Parameters
    ----------
    boxes : (N, 4) float
        In px.
    scores : (N, L) float
        The best label counts.
    lowest : float
        Candidates below are not chosen.

    Returns
    -------
    (K,) int
        Best first.

    Examples
    --------
    >>> boxes = np.array([[0, 0, 10, 10], [1, 0, 10, 10], [20, 0, 30, 10.0]])
    >>> best_of_each_place(boxes, np.array([[0.5], [0.9], [0.4]])).tolist()
    [1, 2]
    """
    best, label = scores.max(1, initial=0), scores.argmax(1)
    order = np.argsort(-best, kind="stable")
    is_open = best >= lowest
    chosen = []
    for number in order.tolist():
        if not is_open[number]:
            continue
        chosen.append(number)
        iou, part = (each[:, 0] for each in overlaps(boxes, boxes[number : number + 1]))
        closed = (iou > SAME) | ((part > PART) & (iou > LARGE_PART))
        closed |= (part > PART) & (label == label[number])
        is_open &= ~closed
    return np.array(chosen, np.int64)


def judge_against(lesson: Lesson, chosen: Ints, labels: Sequence[str]) -> NDArray[np.bool_]:
    """Say which of the chosen rows of a page overlap a region of their label, each region once.

    Parameters
    ----------
    lesson : Lesson
    chosen : (K,) int
        Rows, best first.
    labels : sequence of str
        Those that they are taken for.

    Returns
    -------
    (K,) bool

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> square = Outlines.of([[(0, 0), (9, 0), (9, 9), (0, 9)]])
    >>> one, rows = np.ones(1), np.zeros((1, 3), np.float32)
    >>> lesson = Lesson("page", square.bounds, rows, ("bed",), one, one, square, ("bed",))
    >>> judge_against(lesson, np.array([0]), ["bed"]), judge_against(lesson, np.array([0]), ["car"])
    (array([ True]), array([False]))
    """
    iou = overlaps(lesson.boxes[chosen], lesson.regions.bounds)[0]
    free = np.ones(len(lesson.names), bool)
    names = np.array(lesson.names, object)
    right = np.zeros(len(chosen), bool)
    for place, label in enumerate(labels):
        fits = np.where(free & (names == label), iou[place], 0)
        if fits.max(initial=0) > RIGHT:
            free[fits.argmax()] = False
            right[place] = True
    return right


_LEAST = 0.15  # spread of a label's sizes on one page, as a natural logarithm
_LEAST_BETWEEN = 0.3  # spread of the pages' scales
_SURE = 0.5  # score from which a candidate tells of the page's scale
_FEW = 3  # candidates that tell of it, at least
_LARGEST_RATIO = 16.0  # squared deviation that counts


def sizes_on_page(rows: NDArray[np.float32]) -> Floats:
    """Read the sizes of described regions.

    Parameters
    ----------
    rows : (N, D) float32
        See `describe_appearance`.

    Returns
    -------
    (N,) float
        Natural logarithms, in units of the page's size.

    Examples
    --------
    >>> sizes_on_page(np.zeros((2, 500), np.float32)).tolist()
    [0.0, 0.0]
    """
    return rows[:, PLACED.index("size on page") - figures_count()].astype(np.float64)


@dataclass(frozen=True, eq=False)
class SymbolSizes:
    """Sizes of each label's regions; `measure_sizes` makes it.

    Attributes
    ----------
    means : (L,) float
        Natural logarithms, in units of the page's size, on a page of usual scale.
    spreads : (L,) float
        Standard deviations on one page.
    between : float
        Standard deviation of the pages' scales.
    """

    means: Floats
    spreads: Floats
    between: float

    def misfits(self, sizes: Floats, scores: Floats) -> Floats:
        """Compute how unusual sizes are for each label.

        Where at least three candidates are likely, they tell the page's scale.

        Parameters
        ----------
        sizes : (N,) float
            Of a page's candidates.
        scores : (N, L) float
            About 1 for regions of a label, about 0 for others.

        Returns
        -------
        (N, L) float
            Squared deviation in standard deviations, at most 16.

        Examples
        --------
        >>> model = SymbolSizes(np.array([-3.0]), np.array([0.5]), 0.0)
        >>> model.misfits(np.array([-3.0, -4.0]), np.zeros((2, 1))).ravel().tolist()
        [0.0, 4.0]
        """
        label = scores.argmax(1)
        sure = np.flatnonzero(scores.max(1, initial=0) >= _SURE)
        scale, unsure = 0.0, self.between
        if len(sure) >= _FEW:
            reach = 2 * self.between
            scale = float(np.median(sizes[sure] - self.means[label[sure]]).clip(-reach, reach))
            unsure = self.between / np.sqrt(len(sure))
        apart = sizes[:, None] - scale - self.means
        return np.asarray((apart**2 / (self.spreads**2 + unsure**2)).clip(max=_LARGEST_RATIO))


def measure_sizes(lessons: Sequence[Lesson], labels: Sequence[str]) -> SymbolSizes:
    """Measure how large the regions of each label are, apart from the scale of their pages.

    Parameters
    ----------
    lessons : sequence of Lesson
    labels : sequence of str
        Each with at least one region.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> square = Outlines.of([[(0, 0), (9, 0), (9, 9), (0, 9)]])
    >>> one, rows = np.ones(1), np.full((1, 500), -3, np.float32)
    >>> lesson = Lesson("page", square.bounds, rows, ("bed",), one, one, square, ("bed",))
    >>> round(float(np.exp(measure_sizes([lesson], ["bed"]).means[0])), 2)
    0.05
    """
    place = {label: number for number, label in enumerate(labels)}
    sizes, own, pages = [], [], []
    for page, lesson in enumerate(lessons):
        for size, name in zip(sizes_on_page(lesson.rows), lesson.names, strict=False):
            if name in place:
                sizes.append(size)
                own.append(place[name])
                pages.append(page)
    size, label, page_of = np.array(sizes), np.array(own), np.array(pages)
    scales = np.zeros(len(lessons))
    means = np.zeros(len(labels))
    for _ in range(4):
        left = size - scales[page_of]
        means = np.array([left[label == number].mean() for number in range(len(labels))])
        apart = size - means[label]
        scales = np.array(
            [np.median(apart[page_of == page]) if (page_of == page).any() else 0.0
             for page in range(len(lessons))]
        )  # fmt: skip
    left = size - scales[page_of] - means[label]
    spreads = [np.sqrt((left[label == number] ** 2).mean()) for number in range(len(labels))]
    between = float(np.sqrt(scales.var() + _LEAST_BETWEEN**2))
    return SymbolSizes(means, np.hypot(spreads, _LEAST), between)
