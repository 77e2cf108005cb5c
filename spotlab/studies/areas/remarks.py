"""Says what was left out of an evaluation and what may surprise: in few lines, and all of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spotlab.measures.tally import Ints
    from spotlab.model.run import Run
    from spotlab.studies.areas.evaluate import Evaluation, RunEvaluation

MOST_NAMES = 5  # that a line names; `listed` names all


def count(number: int, noun: str) -> str:
    """A number of things.

    Examples
    --------
    >>> count(1, "spot"), count(1200, "query"), count(0, "page")
    ('1 spot', '1,200 queries', '0 pages')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} " + (f"{noun.removesuffix('y')}ies" if noun.endswith("ry") else f"{noun}s")


def some(names: Iterable[str]) -> str:
    """The first names and how many more there are.

    Examples
    --------
    >>> some("abc"), some("abcdefg")
    ('a, b, c', 'a, b, c, d, e and 2 more')
    """
    all_of_them = list(names)
    text = ", ".join(all_of_them[:MOST_NAMES])
    more = len(all_of_them) - MOST_NAMES
    return f"{text} and {more:,} more" if more > 0 else text


def run_remarks(run: RunEvaluation) -> tuple[str, ...]:
    """What a person should know of a run, a line each."""
    return (*run.read_remarks, *_remarks(run))


def _remarks(run: RunEvaluation) -> Iterator[str]:
    if run.bad_lines:
        yield f"{count(len(run.bad_lines), 'line')} left out, not to be read"
    if run.left_out:
        spots = count(sum(each.spots for each in run.left_out), "spot")
        pages = some(f"{each.page} ({each.spots:,})" for each in run.left_out)
        yield f"{spots} left out, on pages without truth: {pages}"
    if run.unknown_queries:
        names = some(f"{name} ({spots:,})" for name, spots in run.unknown_queries.items())
        yield (
            f"{count(len(run.unknown_queries), 'query')} with spots but without truth, "
            f"in no mean: {names}"
        )
    if run.unsearched:
        yield (
            f"{count(len(run.unsearched), 'query')} of the truth without spots, "
            f"recall 0: {some(run.unsearched)}"
        )
    if len(run.without_area):
        places = some(spot_places(run.run, run.without_area))
        yield f"{count(len(run.without_area), 'spot')} without area: {places}"
    if len(run.crossing):
        places = some(spot_places(run.run, run.crossing))
        yield (
            f"{count(len(run.crossing), 'spot')} with a crossing outline, "
            f"taken by the even-odd rule: {places}"
        )
    for beyond, what in (
        (run.off_page.partly, "partly off the page; only what lies on it counts"),
        (run.off_page.wholly, "wholly off the page; nothing of them counts"),
    ):
        if len(beyond):
            yield f"{count(len(beyond), 'spot')} {what}: {some(spot_places(run.run, beyond))}"
    if run.tied:
        yield f"{count(run.tied, 'spot')} tied with others of the query: in the file's order"
    if run.double_share is not None and run.double_share > 1 + 1e-9:
        yield (
            f"spots add up to {run.double_share:.3f} times the area that they cover: "
            "places are found repeatedly"
        )


def run_listed(run: RunEvaluation) -> tuple[str, ...]:
    """Everything that was left out or may surprise, a line each, nothing shortened."""
    found = [str(bad) for bad in run.bad_lines]
    found += [
        f"page {each.page}: {count(each.spots, 'spot')} left out, {each.reason}"
        for each in run.left_out
    ]
    found += [
        f"query {name}: {count(spots, 'spot')}, no truth"
        for name, spots in run.unknown_queries.items()
    ]
    found += [f"query {name}: no spots" for name in run.unsearched]
    found += [f"{place}: a spot without area" for place in spot_places(run.run, run.without_area)]
    found += [
        f"{place}: an outline that crosses itself" for place in spot_places(run.run, run.crossing)
    ]
    for how, spots in (("partly", run.off_page.partly), ("wholly", run.off_page.wholly)):
        found += [f"{place}: a spot {how} off the page" for place in spot_places(run.run, spots)]
    return tuple(found)


def truth_remarks(evaluation: Evaluation) -> tuple[str, ...]:
    """What a person should know of the truth, a line each."""
    found = list(evaluation.truth_set.remarks)
    without = evaluation.truth_set.without_truth
    if without:
        pages = count(len(without), "page")
        found.append(f"{pages} without a truth file, not evaluated: {some(without)}")
    for flawed, what in (
        (evaluation.truth_without_area, "without area, not to be found"),
        (evaluation.truth_crossing, "with a crossing outline, taken by the even-odd rule"),
        (evaluation.truth_without_label, "without label, of no query"),
        (evaluation.truth_off_page, "beyond the page's edges; only what lies on it counts"),
    ):
        if flawed:
            names = some(f"{each.region} on {each.page}" for each in flawed)
            found.append(f"{count(len(flawed), 'truth region')} {what}: {names}")
    return tuple(found)


def spot_places(run: Run, spots: Ints) -> Iterator[str]:
    """Where spots come from: the line of the file, or the query and rank."""
    for spot in spots.tolist():
        line = int(run.line[spot])
        query = run.queries[run.query[spot]]
        yield f"line {line}" if line else f"{query}, rank {int(run.rank[spot])}"
