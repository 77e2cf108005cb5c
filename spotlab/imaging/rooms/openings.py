"""Which openings are closed: gaps in walls, doors, ends of walls, and where free space narrows."""

from __future__ import annotations

from spotlab.imaging.rooms.closing_choice import ClosingChoice
from spotlab.imaging.rooms.closings import Closing
from spotlab.imaging.rooms.narrowings import Narrowings
from spotlab.imaging.rooms.passages import open_passages
from spotlab.imaging.rooms.plan_features import PlanFeatures
from spotlab.progress import Progress, silent

GAP = 2.75  # times the thickness of walls: what is closed by default at the end of any wall


def close_openings(
    plan: PlanFeatures, gap: float | None = None, wide: bool = True, progress: Progress = silent
) -> tuple[Closing, ...]:
    """Choose the closings that divide the free space of a plan into rooms.

    Four rules apply one after the other: gaps in straight walls (two parallel faces, or a window
    drawn there), openings where a door is drawn, ends of walls up to ``gap`` from another wall, and
    lines that are short in proportion to the spaces on either side. Lines of the last two rules
    that cut a passage into pieces are left out again, those within a given ``gap`` excepted.

    Parameters
    ----------
    plan : PlanFeatures
        From `extract_plan`.
    gap : float, optional
        Openings at the ends of walls are closed up to this width in px, whatever is drawn there;
        `GAP` times the thickness of walls by default.
    wide : bool
        Whether wider openings are closed where a window is drawn or where the space narrows.
    progress : Progress
        Called between the steps; it may raise to cancel.

    Returns
    -------
    tuple of Closing
        Those that are closed. Lines of a wall's two faces are both there.

    Examples
    --------
    >>> import numpy as np
    >>> from spotlab.imaging.rooms.plan_features import extract_plan
    >>> from spotlab.imaging.rooms.walls import WallKind, Walls
    >>> ink = np.zeros((60, 200), np.bool_)
    >>> ink[20:30, 10:80] = ink[20:30, 120:190] = True
    >>> plan = extract_plan(ink, Walls(ink, 10.0, WallKind.FILLED))
    >>> [round(each.length) for each in close_openings(plan)]
    [41, 41]
    """
    chosen = ClosingChoice(plan, GAP * plan.walls.thickness if gap is None else gap)
    progress(0, None, "closing openings")
    chosen.add_all(chosen.gaps_in_walls(wide), chosen.length)
    if wide:
        chosen.add_doors()
    progress(0, None, "closing openings")
    chosen.add_all(chosen.wall_ends(), chosen.end_cost)
    if not wide:
        return tuple(chosen.taken)
    asked_for = len(chosen.taken) if gap is not None else 0
    narrow = Narrowings(plan.walls.mask, plan.walls.thickness, chosen.taken, plan.measured)
    while True:
        best = narrow.best(plan.closings, chosen.may_divide, progress)
        if best is None:
            break
        chosen.add(best)
        narrow.divide(plan.closings[best])
    weak = [each for each in chosen.taken[asked_for:] if id(each) not in chosen.sure]
    return open_passages(narrow, chosen.taken, weak)
