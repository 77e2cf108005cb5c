"""Removes from ink what nobody drew: lines of ruled and squared paper, specks, small parts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.extras import cv2
from spotlab.imaging.outlines import label_parts
from spotlab.progress import Progress, silent

CLOSEST, WIDEST = 7, 250  # px between two lines
PERIODIC = 0.2  # autocorrelation of rows from which they repeat


def ruling_distance(profiles: Floats) -> float | None:
    """Find the distance of ruled lines: the first lag at which rows of a page repeat themselves.

    Parameters
    ----------
    profiles : (S, H) float
        The share of each strip's rows that is ink.

    Returns
    -------
    float or None
        In px; None where nothing repeats.

    Examples
    --------
    >>> rows = np.zeros((1, 200))
    >>> rows[0, ::20] = 1
    >>> round(ruling_distance(rows))
    20
    """
    height = profiles.shape[1]
    longest = min(WIDEST, height // 3)
    if longest <= CLOSEST:
        return None
    rows = np.clip(profiles, 0, 1)
    smooth = _blurred(rows)
    smooth -= smooth.mean(axis=1, keepdims=True)
    whole = 1 << (2 * height - 1).bit_length()  # a length that is transformed fast
    spectrum = np.fft.rfft(smooth, whole, axis=1)
    power = np.fft.irfft((np.abs(spectrum) ** 2).sum(axis=0))[: longest + 2]
    lags = power / max(power[0], 1e-9) * height / (height - np.arange(longest + 2))
    tops = [
        lag
        for lag in range(CLOSEST, longest + 1)
        if lags[lag] >= max(lags[lag - 1], lags[lag + 1], PERIODIC)
    ]
    if not tops:
        return None
    best = max(lags[lag] for lag in tops)
    lag = next(lag for lag in tops if lags[lag] >= 0.75 * best or _repeats(lags[:-1], lag))
    left, middle, right = lags[lag - 1 : lag + 2]
    bend = left - 2 * middle + right
    return float(lag + (0.5 * (left - right) / bend if bend else 0.0))


def _repeats(lags: Floats, lag: int) -> bool:
    """Tell whether rows are alike at each multiple of a lag.

    Those with writing may be more alike.
    """
    multiples = ((lag * n, 1 + n // 2) for n in range(1, (len(lags) - 1) // lag + 1))
    return all(lags[m - off : m + off + 1].max() >= PERIODIC for m, off in multiples)


def _blurred(rows: Floats) -> Floats:
    """Rows of profiles, smoothed by about a px."""
    padded = np.pad(rows, ((0, 0), (1, 1)), mode="edge")
    return np.asarray(0.25 * padded[:, :-2] + 0.5 * padded[:, 1:-1] + 0.25 * padded[:, 2:])


Mask = NDArray[np.bool_]

STRIP = 32  # px: wide enough to tell a line from a letter, narrow enough for a bent one
STEEPEST = 6.0  # degrees by which lines may be tilted
THICKEST = 9  # px: ink that is higher is no line; at most a third of the distance
INKED = 0.4  # share of a strip's width that a peak has of thin ink
SNAP = 0.12  # of the distance: how far a peak may be from where its line is expected
SETTLED = 2.5  # px: the same once all lines of a strip are known; at least so far
SUPPORTED = 0.5  # share of the strips nearby in which a line has to have a peak
NEARBY = 6  # strips to each side
FEWEST = 5  # lines
COVERED = 0.25  # of the page, or of what lines could cover, that lines have to cover
# Of their length, that lines have thin ink: lines of paper have .58 or more where they are broken
# by writing and by light, and lines of writing .33 or less
THIN = 0.45


@dataclass(frozen=True, eq=False)
class RuledLines:
    """Nearly horizontal lines of a page.

    Attributes
    ----------
    places : (K, W) float
        The middle of each line in each column, in px from the top; NaN where it is not seen.
    thickness : float
        Of the ink of a line, in px.
    """

    places: Floats
    thickness: float


def find_ruled_lines(ink: Mask) -> RuledLines | None:
    """Find the nearly horizontal lines of ruled paper.

    Parameters
    ----------
    ink : (H, W) bool
        For upright lines, the transposed page.

    Returns
    -------
    RuledLines or None
        None where fewer than five lines repeat.

    Examples
    --------
    >>> ink = np.zeros((200, 300), bool)
    >>> ink[10:200:20] = True
    >>> lines = find_ruled_lines(ink)
    >>> lines.places[:3, 150].round(1).tolist(), lines.thickness
    ([10.5, 30.5, 50.5], 1.0)
    """
    height, width = ink.shape
    if min(height, width) < 2 * STRIP:
        return None
    thin = _thinner(ink, THICKEST)
    slope = _common_slope(thin)
    level = _sheared(thin, slope)
    profiles = _strip_profiles(level)
    distance = ruling_distance(profiles)
    if distance is None:
        return None
    if distance < 3 * THICKEST:
        level = _sheared(_thinner(ink, max(int(distance / 3), 2)), slope)
        profiles = _strip_profiles(level)
    lines, is_peak = _followed(profiles, distance)
    if len(lines) < FEWEST:
        return None
    return _measured(ink, lines, is_peak, slope)


def _thinner(ink: Mask, limit: int) -> Mask:
    """Ink whose upright runs are at most so many px long."""
    full = ink.view(np.uint8)
    thick = cv2.morphologyEx(full, cv2.MORPH_OPEN, np.ones((limit + 1, 1), np.uint8))
    return np.asarray(ink & (thick == 0))


def _strip_profiles(level: NDArray[np.uint8]) -> Floats:
    """(S, H) the share of each strip's rows that is ink."""
    width = level.shape[1]
    edges = np.linspace(0, width, max(width // STRIP, 1) + 1).astype(int).tolist()
    sums = [
        cv2.reduce(level[:, left:right], 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S)[:, 0] / (right - left)
        for left, right in pairwise(edges)
    ]
    return np.asarray(sums, np.float64)


def _common_slope(thin: Mask) -> float:
    """The slope at which the rows of the page differ most from each other, in px per px."""
    height, width = thin.shape
    profiles = _strip_profiles(thin.view(np.uint8))
    middles = (np.arange(len(profiles)) + 0.5) * width / len(profiles)
    best = 0.0
    for around, step in ((STEEPEST, 0.5), (0.5, 0.1)):
        degrees = best + np.arange(-around, around + step / 2, step)
        contrast = []
        for slope in np.tan(np.radians(degrees)):
            total = np.zeros(height)
            for profile, middle in zip(profiles, middles, strict=True):
                _add_shifted(total, profile, round(slope * (middle - width / 2)))
            contrast.append(float(np.square(np.diff(total)).sum()))
        best = float(degrees[int(np.argmax(contrast))])
    return float(np.tan(np.radians(best)))


def _add_shifted(total: Floats, profile: Floats, shift: int) -> None:
    """Add a profile, moved up by so many px; on a wide page nothing of it may be left."""
    shift = min(max(shift, -len(total)), len(total))
    if shift >= 0:
        total[: len(total) - shift] += profile[shift:]
    else:
        total[-shift:] += profile[:shift]


def _rise(width: int, slope: float) -> int:
    """Tell how far lines go up or down from the middle of the page to its side, in px."""
    return int(np.ceil(abs(slope) * width / 2))


def _sheared(thin: Mask, slope: float) -> NDArray[np.uint8]:
    """The page with lines of a slope made level, about the middle column, and room for them."""
    height, width = thin.shape
    rise = _rise(width, slope)
    matrix = np.array([[1, 0, 0], [-slope, 1, slope * width / 2 + rise]])
    turned = cv2.warpAffine(
        thin.view(np.uint8), matrix, (width, height + 2 * rise), flags=cv2.INTER_NEAREST
    )
    return np.asarray(turned, np.uint8)


def _peaks(profile: Floats) -> Floats:
    """Tell where a strip has lines, to parts of a px: the middle of the ink around local maxima."""
    wide = np.convolve(profile, np.ones(3), "same")
    tops = (
        np.flatnonzero((wide[1:-1] >= wide[:-2]) & (wide[1:-1] > wide[2:]) & (wide[1:-1] >= INKED))
        + 1
    )
    around = np.clip(tops[:, None] + np.arange(-2, 3), 0, len(profile) - 1)
    weights = profile[around]
    return np.asarray((weights * around).sum(1) / weights.sum(1) + 0.5)


def _followed(profiles: Floats, distance: float) -> tuple[Floats, Mask]:
    """(K, S) places of lines in all strips, and whether there is a peak; K may be 0."""
    count, height = profiles.shape
    peaks = [_peaks(profile) for profile in profiles]
    seeds = [_followed_down(places, distance, height) for places in peaks]
    support = [float(_snapped(seed, places, distance)[1].mean() * len(seed)) if len(seed) else 0.0
               for seed, places in zip(seeds, peaks, strict=True)]  # fmt: skip
    start = int(np.argmax(support))
    if support[start] < FEWEST:
        return np.empty((0, count)), np.empty((0, count), np.bool_)
    lines = np.empty((len(seeds[start]), count))
    rest = np.full(lines.shape, np.nan)
    for way in (1, -1):
        expected = before = seeds[start]
        for strip in range(start, count if way == 1 else -1, way):
            here = _smoothed(*_snapped(expected, peaks[strip], distance), expected)
            settled, near = _snapped(here, peaks[strip], SETTLED / SNAP)
            lines[:, strip] = here
            rest[:, strip] = np.where(near, settled - here, np.nan)
            expected = here + 0.5 * (here - before) * (strip != start)
            before = here
    return lines + _median_of_neighbours(rest), np.isfinite(rest)


def _median_of_neighbours(rest: Floats) -> Floats:
    """The median of what five strips say of a line; 0 where none says anything."""
    padded = np.pad(rest, ((0, 0), (2, 2)), constant_values=np.nan)
    windows = np.lib.stride_tricks.sliding_window_view(padded, 5, axis=1)
    silent = np.asarray(np.isnan(windows).all(-1))
    return np.asarray(np.nanmedian(np.where(silent[..., None], 0.0, windows), axis=-1))


def _followed_down(peaks: Floats, distance: float, height: int) -> Floats:
    """The lines of a strip, from the place where the most peaks follow each other."""
    if len(peaks) < FEWEST:
        return np.empty(0)
    offsets = np.abs(peaks[:, None] - peaks[None])
    near = offsets < 6.5 * distance
    off = np.abs(offsets / distance - np.rint(offsets / distance))
    start = float(peaks[int(((off < 0.12) & near).sum(1).argmax())])
    lines = [start]
    for way in (1, -1):
        part, step = [start], distance
        while 0 <= part[-1] + way * step < height:
            expected = part[-1] + way * step
            nearest = float(peaks[int(np.abs(peaks - expected).argmin())])
            if abs(nearest - expected) < max(SNAP * distance, SETTLED):
                step += 0.2 * way * (nearest - expected)
                expected += 0.6 * (nearest - expected)
            part.append(expected)
        lines = [*lines, *part[1:]] if way == 1 else [*part[:0:-1], *lines]
    return np.array(lines)


def _snapped(expected: Floats, peaks: Floats, distance: float) -> tuple[Floats, Mask]:
    """The peak nearest to each expected place, and whether it is near enough."""
    if not len(peaks):
        return expected, np.zeros(len(expected), np.bool_)
    at = np.clip(np.searchsorted(peaks, expected), 1, max(len(peaks) - 1, 1))
    low, high = peaks[at - 1], peaks[np.minimum(at, len(peaks) - 1)]
    nearest = np.where(expected - low <= high - expected, low, high)
    return nearest, np.abs(nearest - expected) < max(SNAP * distance, SETTLED)


def _smoothed(places: Floats, near: Mask, expected: Floats) -> Floats:
    """Tell where lines are by most of their peaks: they move together from strip to strip."""
    shifts, numbers = places - expected, np.arange(len(places), dtype=np.float64)
    kept = near.copy()
    for _ in range(3):
        if kept.sum() < 4:
            return expected
        degree = 3 if kept.sum() > 12 else 1
        middle = numbers[kept].mean()
        scale = max(float(np.ptp(numbers[kept])), 1.0)
        fit = np.polyfit((numbers[kept] - middle) / scale, shifts[kept], degree)
        inside = np.clip(numbers, numbers[kept].min(), numbers[kept].max())
        expectation = np.polyval(fit, (inside - middle) / scale)
        off = np.abs(shifts - expectation)
        limit = max(2.5 * float(np.median(off[kept])), 1.0)
        kept = near & (off <= limit)
    return np.asarray(expected + expectation)


def _measured(ink: Mask, lines: Floats, is_peak: Mask, slope: float) -> RuledLines | None:
    """Lines in columns of the page, and the thickness of their ink."""
    height, width = ink.shape
    count = lines.shape[1]
    middles = (np.arange(count) + 0.5) * width / count
    lines = lines + slope * (middles - width / 2) - _rise(width, slope)
    is_inside = (lines >= 0) & (lines < height)
    seen, total = (_near_sums(each) for each in (is_peak & is_inside, is_inside))
    supported = is_inside & (seen >= SUPPORTED * total)
    is_seen = supported.sum(1) > COVERED * np.maximum(is_inside.sum(1), 1)
    if is_seen.sum() < FEWEST or supported.sum() < COVERED * is_inside.sum():
        return None
    supported |= ~is_inside & (seen > 0)
    columns = np.arange(width) + 0.5
    places = np.array([np.interp(columns, middles, row) for row in lines])
    places[:, columns < middles[0]] = _straight(lines, middles, columns[columns < middles[0]], 0)
    last = columns > middles[-1]
    places[:, last] = _straight(lines, middles, columns[last], -1)
    strip = np.minimum((np.arange(width) * count) // width, count - 1)
    places[~supported[:, strip]] = np.nan
    thickness = _thickness(ink, places)
    return RuledLines(places, thickness) if _thin_share(ink, places, thickness) >= THIN else None


def _thin_share(ink: Mask, places: Floats, thickness: float) -> float:
    """Tell how much of the length of lines has ink that is no thicker than they are."""
    thin = _thinner(ink, int(thickness) + 1).view(np.uint8)
    near = cv2.dilate(thin, np.ones((5, 1), np.uint8))
    line, column = np.nonzero(np.isfinite(places))
    row = np.floor(places[line, column]).astype(np.int64)
    inside = (row >= 0) & (row < len(ink))
    return float(near[row[inside], column[inside]].mean()) if inside.any() else 0.0


def _near_sums(flags: Mask) -> Floats:
    """Tell how many strips nearby are flagged, for each line and strip."""
    window = np.ones(2 * NEARBY + 1)
    padded = np.pad(flags.astype(np.float64), ((0, 0), (NEARBY, NEARBY)))
    return np.array([np.convolve(row, window, "valid") for row in padded])


def _straight(lines: Floats, middles: Floats, columns: Floats, end: int) -> Floats:
    """Lines continued beyond the middle of the first or the last strip."""
    if len(middles) < 2:
        return np.repeat(lines[:, [end]], len(columns), axis=1)
    other = 1 if end == 0 else -2
    rate = (lines[:, end] - lines[:, other]) / (middles[end] - middles[other])
    return np.asarray(lines[:, [end]] + rate[:, None] * (columns - middles[end]))


def _thickness(ink: Mask, places: Floats) -> float:
    """The usual length of upright runs of ink at the lines."""
    height = ink.shape[0]
    line, column = np.nonzero(np.isfinite(places))
    row = np.floor(places[line, column]).astype(np.int64)
    inside = (row >= 0) & (row < height)
    row, column = row[inside], column[inside]
    inked = ink[row, column]
    row, column = row[inked], column[inked]
    if not len(row):
        return 1.0
    lengths = np.ones(len(row))
    for way in (1, -1):
        going = np.ones(len(row), np.bool_)
        for step in range(1, THICKEST + 2):
            there = np.clip(row + way * step, 0, height - 1)
            going &= ink[there, column] & (there == row + way * step)
            lengths += going
    usual = lengths[lengths <= THICKEST]
    return float(np.median(usual)) if len(usual) else 1.0


ROUGH = 1.0  # px by which a line's ink may be thicker, and farther from its middle, than usual
SHALLOWEST = 12.0  # degrees at which a stroke crosses a line and is still mended
SLANTED = 0.5  # sine of the angle up to which a stroke has to be thin
STEPS = 13  # directions in which strokes are followed across a line, 13 degrees apart


def remove_rulings(ink: Mask, progress: Progress = silent) -> Mask:
    """Remove the lines of ruled or squared paper.

    Parameters
    ----------
    ink : (H, W) bool
        A page. Lines may be as dark as the pen, bent, broken, and tilted by up to 6 degrees.
    progress : Progress

    Returns
    -------
    (H, W) bool
        The same ink where the paper has no lines. A stroke that lies on a line is kept only where
        it is thicker than the line.

    Examples
    --------
    >>> ink = np.zeros((200, 300), bool)
    >>> ink[10:200:20] = True
    >>> ink[:, 150:153] = True
    >>> left = remove_rulings(ink)
    >>> int(left.sum()), bool(left[:, 150:153].all())
    (600, True)
    """
    progress(0, 3, "removing rulings")
    turned = np.ascontiguousarray(ink.T)
    level, upright = find_ruled_lines(ink), find_ruled_lines(turned)
    if level is None and upright is None:
        return ink
    progress(1, 3, "removing rulings")
    first = _on_lines(ink, level)
    second = _on_lines(np.ascontiguousarray((ink & ~first).T), upright)
    progress(2, 3, "removing rulings")
    kept = ink & ~first & ~second.T
    turned = np.ascontiguousarray(kept.T)
    removed = ink & ~kept
    kept |= _crossings(kept, level, removed)
    kept |= _crossings(turned, upright, np.ascontiguousarray(removed.T)).T
    return kept


def _on_lines(ink: Mask, lines: RuledLines | None) -> Mask:
    """The ink of some lines: upright runs at their places that are no thicker than they are."""
    if lines is None:
        return np.zeros(ink.shape, np.bool_)
    limit = int(lines.thickness + ROUGH)
    full = ink.view(np.uint8)
    thick = cv2.morphologyEx(full, cv2.MORPH_OPEN, np.ones((limit + 1, 1), np.uint8))
    reach = int(np.ceil(lines.thickness / 2 + ROUGH))
    near = np.zeros(ink.shape, np.bool_)
    line, column = np.nonzero(np.isfinite(lines.places))
    row = np.floor(lines.places[line, column]).astype(np.int64)
    for step in range(-reach, reach + 1):
        there = row + step
        inside = (there >= 0) & (there < len(ink))
        near[there[inside], column[inside]] = True
    return np.asarray(ink & near & (thick == 0))


def _crossings(kept: Mask, lines: RuledLines | None, removed: Mask) -> Mask:
    """The removed ink that lies between two parts of a stroke, on both sides of a level line.

    Both parts go on in the direction in which they meet the line, for as long as it is thick. At a
    small angle they are thin across that direction: walls and letters beside a line are not.
    """
    restored = np.zeros(kept.shape, np.bool_)
    if lines is None:
        return restored
    across, tail = lines.thickness + ROUGH, int(lines.thickness)
    longest = int(np.ceil(across / np.sin(np.radians(SHALLOWEST)))) + 1
    square = np.ones((2 * longest + 1, 2 * longest + 1), np.uint8)
    near = cv2.dilate(kept.view(np.uint8), square) > 0
    row, column = np.nonzero(removed & near)
    aside = 2.0 * lines.thickness + ROUGH
    border = longest + tail + int(aside) + 2
    padded = np.pad(kept, border)
    width = padded.shape[1]
    flat, places = padded.ravel(), (row + border) * width + column + border
    ways = np.linspace(SHALLOWEST, 180 - SHALLOWEST, STEPS)
    reaches = [int(np.ceil(across / np.sin(np.radians(way)))) + 1 for way in ways]
    ends = []
    for sign in (1, -1):
        for way, reach in zip(np.radians(ways), reaches, strict=True):
            numbers = np.arange(1, reach + tail + 1)
            offsets = np.rint(numbers * np.sin(way)) * width + np.rint(numbers * np.cos(way))
            beside = 0
            if np.sin(way) < SLANTED:
                beside = round(aside * np.cos(way)) * width - round(aside * np.sin(way))
            steps = sign * offsets.astype(np.int64)
            ends.append(_reached(flat, places, steps, reach, tail, beside))
    down, up = ends[:STEPS], ends[STEPS:]
    for number, reach in enumerate(reaches):
        bent = np.minimum.reduce(up[max(number - 1, 0) : number + 2])  # strokes may be round
        between = down[number] + bent <= reach + 1
        restored[row[between], column[between]] = True
    return restored


def _reached(flat: Mask, places: Ints, steps: Ints, reach: int, tail: int, beside: int) -> Ints:
    """In how many steps each place comes to ink that goes on, or more than the reach.

    Ink ``beside`` its steps on both sides, unless that is 0, means that it is no stroke.
    """
    inked = np.array([flat[places + step] for step in steps])
    if beside:
        for step, ink in zip(steps, inked, strict=True):
            thin = np.flatnonzero(ink)
            at = places[thin] + step
            ink[thin] = ~(flat[at + beside] & flat[at - beside])
    runs = np.array([inked[start : start + tail].all(axis=0) for start in range(reach)])
    steps_taken = runs.argmax(axis=0) + 1
    return np.where(runs.any(axis=0), steps_taken, 999).astype(np.int16)


@dataclass(frozen=True)
class CleanedInk:
    """Numbers of pixels and components removed from the ink of a page.

    Attributes
    ----------
    rulings : int
        Pixels of the paper's lines.
    specks : int
        Connected components with too small an area.
    small : int
        Further ones with too short a side.
    """

    rulings: int
    specks: int
    small: int


def clean_ink(
    ink: Mask, *, rulings: bool = False, specks: int = 0, smallest: int = 0
) -> tuple[Mask, CleanedInk]:
    """Remove rulings, then specks, then components that are too small.

    Parameters
    ----------
    ink : (H, W) bool
    rulings : bool
        Remove the lines of squared and lined paper.
    specks : int
        Largest area of a speck in px; 0 removes none.
    smallest : int
        Shortest larger side of a component that stays, in px; 0 keeps all.

    Returns
    -------
    ink : (H, W) bool
    removed : CleanedInk

    Examples
    --------
    >>> ink = np.zeros((20, 20), bool)
    >>> ink[2, 2] = ink[5:7, 2:5] = ink[10, 3:18] = True
    >>> left, removed = clean_ink(ink, specks=1, smallest=4)
    >>> int(left.sum()), removed
    (15, CleanedInk(rulings=0, specks=1, small=1))
    """
    kept = remove_rulings(ink) if rulings else ink
    ruled = int(ink.sum() - kept.sum()) if rulings else 0
    if not (specks or smallest) or not kept.size:
        return kept, CleanedInk(ruled, 0, 0)
    number, facts = label_parts(kept, diagonal=True)
    is_speck = facts[:, cv2.CC_STAT_AREA] <= specks
    sides = facts[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1)
    is_small = (sides < smallest) & ~is_speck
    is_speck[0] = is_small[0] = False  # the paper
    left = np.asarray(kept & ~(is_speck | is_small)[number])
    return left, CleanedInk(ruled, int(is_speck.sum()), int(is_small.sum()))
