"""Which regions are marked, as hidden or as locked: by their label, or one by one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from spotlab.model import Region


class RegionMarks:
    """A mark on labels, and on single regions of a page that differ from their label.

    The marks are of the program, not of the truth: no file has them.

    Attributes
    ----------
    only : str or None
        The label that alone is not marked; None while labels are marked one by one.

    Examples
    --------
    >>> sofa, bed = (Region(((0, 0), (9, 0), (9, 9)), label) for label in ("sofa", "bed"))
    >>> marks = RegionMarks()
    >>> marks.set_label("sofa", True)
    >>> marks.set_regions([bed], True)
    >>> marks.has(sofa), marks.has(bed), marks.has_label("bed")
    (True, True, False)
    """

    def __init__(self) -> None:
        self.only: str | None = None
        self._labels: set[str] = set()
        self._own: dict[Hashable, dict[str, tuple[str, bool]]] = {}
        self._page: Hashable = None

    def __bool__(self) -> bool:
        return self.only is not None or bool(self._labels) or any(self._own.values())

    def use_page(self, page: Hashable) -> None:
        """The regions that are asked for are those of this page from now on."""
        self._page = page

    def has(self, region: Region) -> bool:
        """Whether the region is marked: by itself, or else by its label."""
        own = self._own.get(self._page)
        if own and region.id in own:
            return own[region.id][1]
        return self.has_label(region.label)

    def has_label(self, label: str) -> bool:
        """Whether regions of a label are marked; "" stands for those without one."""
        return label != self.only if self.only is not None else label in self._labels

    def set_label(self, label: str, marked: bool, known: Iterable[str] = ()) -> None:
        """Mark all regions of a label, or none, those with a mark of their own included.

        Parameters
        ----------
        label : str
        marked : bool
        known : iterable of str
            The labels that stay marked where all but one were.
        """
        if self.only is not None:
            self._labels = {name for name in known if name != self.only}
            self.only = None
        self._forget([label])
        if marked:
            self._labels.add(label)
        else:
            self._labels.discard(label)

    def set_only(self, label: str) -> None:
        """Mark the regions of all labels but this one."""
        self.clear()
        self.only = label

    def set_regions(self, regions: Iterable[Region], marked: bool) -> None:
        """Mark these regions of the page, or not, whatever their labels are."""
        own = self._own.setdefault(self._page, {})
        for region in regions:
            if self.has_label(region.label) == marked:
                own.pop(region.id, None)
            else:
                own[region.id] = (region.label, marked)

    def rename(self, old: str, new: str) -> None:
        """A label has another name, or has joined one."""
        self._forget([old])
        if self.only == old:
            self.only = new
        if old in self._labels:
            self._labels.discard(old)
            self._labels.add(new)

    def clear(self) -> None:
        """Nothing is marked."""
        self.only = None
        self._labels.clear()
        self._own.clear()

    def _forget(self, labels: Iterable[str]) -> None:
        """Single regions of these labels have no mark of their own any more."""
        gone = set(labels)
        for own in self._own.values():
            for id in [id for id, (label, _) in own.items() if label in gone]:
                del own[id]
