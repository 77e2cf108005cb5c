"""Labels of a collection, with their colours and the digit keys that set them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from spotlab.model.label_colours import next_colour
from spotlab.representation import short_repr

DIGITS = "1234567890"


@dataclass(frozen=True)
class Label:
    """A class of regions.

    Attributes
    ----------
    name : str
        Name of the class.
    colour : str
        ``#rrggbb``.
    digit : str
        Digit key that sets the label; empty if there is none.
    """

    name: str
    colour: str
    digit: str = ""


@dataclass(frozen=True)
class LabelSet:
    """Labels in the order in which they were added.

    Attributes
    ----------
    labels : tuple of Label
        No two with the same name or digit.

    Raises
    ------
    ValueError
        If two labels have the same name or digit.

    Examples
    --------
    >>> labels = LabelSet().with_label("sofa").with_label("sink")
    >>> labels["sink"].digit, labels.by_digit("1").name, "bed" in labels
    ('2', 'sofa', False)
    """

    labels: tuple[Label, ...] = ()

    __repr__ = short_repr

    def __post_init__(self) -> None:
        names = [label.name for label in self.labels]
        digits = [label.digit for label in self.labels if label.digit]
        if len(set(names)) != len(names) or len(set(digits)) != len(digits):
            raise ValueError("a label's name and digit are its own")

    def __iter__(self) -> Iterator[Label]:
        return iter(self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def __contains__(self, name: object) -> bool:
        return any(label.name == name for label in self.labels)

    def __getitem__(self, name: str) -> Label:
        for label in self.labels:
            if label.name == name:
                return label
        raise KeyError(name)

    def by_digit(self, digit: str) -> Label | None:
        """Find the label that a digit key sets.

        Parameters
        ----------
        digit : str
            One of "1" to "9" and "0".

        Returns
        -------
        Label or None
            None if no label has the digit.
        """
        return next((label for label in self.labels if label.digit == digit), None)

    def with_label(self, name: str, colour: str = "") -> LabelSet:
        """Add a label with the next free digit.

        Parameters
        ----------
        name : str
            Name of the label; nothing is added if it is empty or exists already.
        colour : str
            ``#rrggbb``; by default the one that differs most from those in use.

        Returns
        -------
        LabelSet
            With the label at the end.

        Examples
        --------
        >>> LabelSet().with_label("sofa", "#332288").labels
        (Label(name='sofa', colour='#332288', digit='1'),)
        """
        if not name or name in self:
            return self
        taken = {label.digit for label in self.labels}
        digit = next((digit for digit in DIGITS if digit not in taken), "")
        return LabelSet(
            (
                *self.labels,
                Label(name, colour or next_colour(label.colour for label in self), digit),
            )
        )

    def with_digit(self, name: str, digit: str) -> LabelSet:
        """Give a label a digit; the label that had it gets this label's old digit.

        Parameters
        ----------
        name : str
            Name of the label.
        digit : str
            The new digit; empty for none.

        Returns
        -------
        LabelSet
            With the digits changed.

        Raises
        ------
        KeyError
            If there is no such label.

        Examples
        --------
        >>> labels = LabelSet().with_label("sofa").with_label("sink").with_digit("sink", "1")
        >>> [label.digit for label in labels]
        ['2', '1']
        """
        old = self[name].digit
        exchange = {name: digit}
        holder = self.by_digit(digit) if digit else None
        if holder and holder.name != name:
            exchange[holder.name] = old
        return LabelSet(
            tuple(replace(label, digit=exchange.get(label.name, label.digit)) for label in self)
        )

    def with_colour(self, name: str, colour: str) -> LabelSet:
        """Give a label a colour.

        Parameters
        ----------
        name : str
            Name of the label.
        colour : str
            ``#rrggbb``.

        Returns
        -------
        LabelSet
            Unchanged if there is no such label.

        Examples
        --------
        >>> LabelSet().with_label("sofa").with_colour("sofa", "#332288")["sofa"].colour
        '#332288'
        """
        return LabelSet(
            tuple(replace(label, colour=colour) if label.name == name else label for label in self)
        )

    def with_entry(self, label: Label, place: int) -> LabelSet:
        """Insert a label at a position, without its digit if another label has it.

        Parameters
        ----------
        label : Label
            Label to insert; nothing is inserted if one of this name exists already.
        place : int
            Index of the label in the new order.

        Returns
        -------
        LabelSet
            With the label.

        Examples
        --------
        >>> labels = LabelSet((Label("bed", "#56B4E9", "1"),))
        >>> labels.with_entry(Label("sofa", "#E69F00", "1"), 0).labels[0].digit
        ''
        """
        if label.name in self:
            return self
        digit = "" if label.digit and self.by_digit(label.digit) else label.digit
        entry = replace(label, digit=digit)
        return LabelSet((*self.labels[:place], entry, *self.labels[place:]))

    def without(self, name: str) -> LabelSet:
        """Remove a label.

        Parameters
        ----------
        name : str
            Name of the label.

        Returns
        -------
        LabelSet
            Unchanged if there is no such label.
        """
        return LabelSet(tuple(label for label in self if label.name != name))
