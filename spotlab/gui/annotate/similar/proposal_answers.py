"""What was said of proposals: which became regions, which were rejected."""

from __future__ import annotations

from dataclasses import dataclass, replace

from spotlab.editing.history import Step
from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.annotate.similar.proposal_list import renamed
from spotlab.gui.annotate.similar.proposal_search import Example
from spotlab.spotting.symbols.proposals.region_proposals import Proposal


@dataclass(frozen=True, eq=False)
class Rejection:
    """A proposal that was rejected.

    Attributes
    ----------
    proposal : Proposal
    entry : PageEntry
        Its page.
    mark : Step or None
        The page's last step then: undo takes back whatever came later.
    """

    proposal: Proposal
    entry: PageEntry
    mark: Step | None

    @property
    def example(self) -> Example:
        """What it teaches."""
        points = tuple((float(x), float(y)) for x, y in self.proposal.outline)
        return Example(self.proposal.label, False, self.entry, points)


class ProposalAnswers:
    """All answers since the collection was opened; the counts are since the last `start`.

    Attributes
    ----------
    accepted : frozenset of str
        Regions that proposals became, by their ids, and that are still there.
    """

    def __init__(self) -> None:
        self.accepted: frozenset[str] = frozenset()
        self._before: frozenset[str] = frozenset()
        self._covered: dict[str, tuple[Proposal, ...]] = {}
        self._rejections: list[Rejection] = []
        self._rejected_before = 0

    @property
    def counts(self) -> tuple[int, int]:
        """How many were accepted and rejected."""
        rejected = max(0, len(self._rejections) - self._rejected_before)
        return len(self.accepted - self._before), rejected

    @property
    def rejected(self) -> tuple[Example, ...]:
        """What the rejected ones teach."""
        return tuple(each.example for each in self._rejections)

    @property
    def last_rejection(self) -> Rejection | None:
        """The one that can be taken back."""
        return self._rejections[-1] if self._rejections else None

    @property
    def any(self) -> bool:
        """Whether a region has answered something."""
        return bool(self.accepted or self._covered)

    def start(self) -> None:
        """Count from here on."""
        self._before = self.accepted
        self._rejected_before = len(self._rejections)

    def cover(self, region: str, proposals: list[Proposal], label: str) -> None:
        """A region lies where these were proposed: that accepts one with its label."""
        self._covered[region] = tuple(proposals)
        if any(each.label == label for each in proposals):
            self.accepted |= {region}

    def uncover(self, region: str) -> tuple[Proposal, ...]:
        """The region is gone; gives what is open again."""
        self.accepted -= {region}
        return self._covered.pop(region, ())

    def reject(self, proposal: Proposal, entry: PageEntry, mark: Step | None) -> None:
        """It is not of its label."""
        self._rejections.append(Rejection(proposal, entry, mark))

    def rename(self, old: str, new: str) -> None:
        """A label has another name."""
        self._rejections = [
            replace(each, proposal=renamed(each.proposal, old, new)) for each in self._rejections
        ]
        self._covered = {
            region: tuple(renamed(each, old, new) for each in proposals)
            for region, proposals in self._covered.items()
        }

    def take_back(self) -> Proposal:
        """Forget the last rejection."""
        return self._rejections.pop().proposal
