"""Labels of a collection: their order, colours, descriptions and the digit keys that set them."""

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
    description : str
        What is labelled like this, for annotators; empty if nothing is said.
    """

    name: str
    colour: str
    digit: str = ""
    description: str = ""


@dataclass(frozen=True)
class LabelSet:
    """Labels in an order of their own, at first that in which they were added.

    Attributes
    ----------
    labels : tuple of Label
        No two with the same name or digit.
    locked : bool
        Whether a team has agreed on these labels, so that programs add none by themselves.

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
    locked: bool = False

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
        >>> [(label.name, label.colour) for label in LabelSet().with_label("sofa", "#332288")]
        [('sofa', '#332288')]
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
        return self._with(
            *(replace(label, digit=exchange.get(label.name, label.digit)) for label in self)
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
        return self._with(
            *(replace(label, colour=colour) if label.name == name else label for label in self)
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
        return self._with(*self.labels[:place], entry, *self.labels[place:])

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
        return self._with(*(label for label in self if label.name != name))

    def with_description(self, name: str, description: str) -> LabelSet:
        """Say what is labelled with a label.

        Parameters
        ----------
        name : str
            Name of the label.
        description : str
            A line or a few; empty for none.

        Returns
        -------
        LabelSet
            Unchanged if there is no such label.

        Examples
        --------
        >>> LabelSet().with_label("sofa").with_description("sofa", "Two seats.")["sofa"].description
        'Two seats.'
        """
        description = description.strip()
        return self._with(
            *(
                replace(label, description=description) if label.name == name else label
                for label in self
            )
        )

    def moved(self, name: str, place: int) -> LabelSet:
        """Put a label at another place in the order.

        Parameters
        ----------
        name : str
            Name of the label.
        place : int
            Its index in the new order; the nearest one if there is no such index.

        Returns
        -------
        LabelSet
            With the same labels.

        Raises
        ------
        KeyError
            If there is no such label.

        Examples
        --------
        >>> labels = LabelSet().with_label("sofa").with_label("sink").with_label("bed")
        >>> [label.name for label in labels.moved("bed", 0)]
        ['bed', 'sofa', 'sink']
        """
        label = self[name]
        others = [other for other in self if other.name != name]
        place = min(max(place, 0), len(others))
        return self._with(*others[:place], label, *others[place:])

    def joined(self, other: LabelSet) -> LabelSet:
        """Take over another set: its labels come first, those that only this one has follow.

        Parameters
        ----------
        other : LabelSet
            A label of it replaces this set's label of the same name, but keeps the colour and the
            description of this one where it has none. Its digits count; labels of this set lose
            theirs to them. If it has none, digits stay, and the first labels get those that are
            free.

        Returns
        -------
        LabelSet
            Locked if the other one is.

        Examples
        --------
        >>> mine = LabelSet((Label("sofa", "#123456", "1"), Label("lamp", "#654321", "2")))
        >>> joined = mine.joined(LabelSet((Label("bed", "#AA0000", "2"), Label("sofa", ""))))
        >>> [(label.name, label.colour, label.digit) for label in joined]
        [('bed', '#AA0000', '2'), ('sofa', '#123456', ''), ('lamp', '#654321', '')]
        """
        known = {label.name: label for label in self}
        used = [label.colour for label in (*self, *other) if label.colour]
        labels = []
        no_digits = not any(label.digit for label in other)
        for label in other:
            mine = known.pop(label.name, None)
            colour = label.colour or (mine.colour if mine else "") or next_colour(used)
            used.append(colour)
            description = label.description or (mine.description if mine else "")
            digit = mine.digit if no_digits and mine else label.digit
            labels.append(replace(label, colour=colour, digit=digit, description=description))
        taken = {label.digit for label in labels}
        for label in known.values():
            labels.append(replace(label, digit="") if label.digit in taken else label)
        if no_digits:
            free = iter([digit for digit in DIGITS if digit not in {each.digit for each in labels}])
            labels = [
                each if each.digit else replace(each, digit=next(free, "")) for each in labels
            ]
        return LabelSet(tuple(labels), other.locked)

    def _with(self, *labels: Label) -> LabelSet:
        return replace(self, labels=labels)
