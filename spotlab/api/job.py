"""Functions whose parameters are the settings of a job, described once and checked by type.

`job` makes such a function of a settings class, `checked` checks the arguments of any other one.
The annotation alone says what an argument may be: `Annotated[float, Range(0)]` is 0 or more.
"""

from __future__ import annotations

import builtins
import inspect
import math
import operator
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from numbers import Real
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from spotlab.errors import BadArgument, shortened
from spotlab.progress import Progress


class Range(NamedTuple):
    """Bounds of a number.

    Attributes
    ----------
    low, high : float or None
        None for none.
    low_open : bool
        Whether the number has to be above the lower bound.
    """

    low: float | None = None
    high: float | None = None
    low_open: bool = False

    def has(self, number: float) -> bool:
        """Tell whether a number lies within the bounds.

        Parameters
        ----------
        number : float
        """
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        return low <= number <= high and not (self.low_open and number == low)

    def describe(self) -> str:
        """Say the bounds, as they stand behind "a number".

        Examples
        --------
        >>> Range(0, 1, low_open=True).describe(), Range(0).describe(), Range().describe()
        (' above 0 and at most 1', ' of at least 0', '')
        """
        low = (
            ""
            if self.low is None
            else f"{'above' if self.low_open else 'of at least'} {self.low:g}"
        )
        high = "" if self.high is None else f"{'' if low else 'of '}at most {self.high:g}"
        words = " and ".join(filter(None, (low, high)))
        return f" {words}" if words else ""


class PathKind(NamedTuple):
    """Kind of a path.

    Attributes
    ----------
    file, folder : bool
        Whether it may be one.
    exists : bool
        Whether it has to be there.
    """

    file: bool = True
    folder: bool = True
    exists: bool = True


class SettingText(NamedTuple):
    """Words for a setting.

    Attributes
    ----------
    type, text : str
    more : str
        A second paragraph, which only the help of functions has.
    """

    type: str
    text: str
    more: str = ""


class Unknown:
    """A type that is imported for type checkers only; one of the same name stands for each."""

    def __class_getitem__(cls, _item: object) -> type[Unknown]:
        return cls


class _NameTable(dict[str, Any]):
    """Names in annotations; an alias in quotes is what stands in the quotes."""

    def __getitem__(self, name: str) -> Any:
        value = self.get(name) if name in self else getattr(builtins, name, None)
        if value is None:
            return type(name, (Unknown,), {})
        return eval(value, {}, self) if isinstance(value, str) else value


_ENTRY = re.compile(r"^(\w[\w, ]*) : (.*)\n((?:(?: {4}.*)?\n?)+)", re.MULTILINE)


@cache
def setting_texts(kind: type) -> dict[str, SettingText]:
    """Find the words for the settings of a job in the section "Attributes" of its docstrings.

    Parameters
    ----------
    kind : type
        A dataclass, such as a subclass of `JobSettings`.

    Examples
    --------
    >>> from spotlab.api.settings import EvaluationSettings
    >>> setting_texts(EvaluationSettings)["at_recall"]
    SettingText(type='float', text='Area recall at which precision is reported.', more='')
    """
    texts: dict[str, SettingText] = {}
    for each in reversed(kind.__mro__[:-1]):
        _, _, section = inspect.cleandoc(each.__doc__ or "").partition("Attributes\n")
        for names, what, text in _ENTRY.findall(section):
            first, _, more = inspect.cleandoc(text).partition("\n\n")
            words = SettingText(what, " ".join(first.split()), " ".join(more.split()))
            texts |= dict.fromkeys(map(str.strip, names.split(",")), words)
    return texts


def setting_type(kind: type, name: str) -> Any:
    """Evaluate the type of a setting, in which `Unknown` stands for types that are not imported.

    Parameters
    ----------
    kind : type
        The class that declares the setting.
    name : str

    Examples
    --------
    >>> from spotlab.api.settings import Count, EvaluationSettings
    >>> setting_type(EvaluationSettings, "draws") == Count
    True
    """
    return _evaluated(kind.__annotations__[name], vars(sys.modules[kind.__module__]))


def _evaluated(annotation: str, known: Mapping[str, Any]) -> Any:
    return eval(annotation, {}, _NameTable(known))


def flat_kinds(expected: Any) -> list[Any]:
    """The types of a union, also within `Annotated`, whose notes stand among them.

    Parameters
    ----------
    expected : type

    Examples
    --------
    >>> flat_kinds(Annotated[int, Range(0)] | None)
    [<class 'int'>, Range(low=0, high=None, low_open=False), <class 'NoneType'>]
    """
    if get_origin(expected) in (Union, UnionType):
        return [kind for each in get_args(expected) for kind in flat_kinds(each)]
    if get_origin(expected) is Annotated:
        inner, *notes = get_args(expected)
        return [*flat_kinds(inner), *notes]
    return [expected]


P = ParamSpec("P")
Settings = TypeVar("Settings")
Result = TypeVar("Result")


def job(
    settings: Callable[P, Settings],
) -> Callable[[Callable[[Settings], Result]], Callable[P, Result]]:
    """Have a function take the fields of its settings as parameters, with their types and texts.

    Parameters
    ----------
    settings : type
        A subclass of `JobSettings`, which the function is handed.

    Raises
    ------
    BadArgument
        By the function, if a setting is not what its type says.

    Examples
    --------
    >>> from spotlab.api.settings import WordAdaptationSettings
    >>> @job(WordAdaptationSettings)
    ... def learn(chosen: WordAdaptationSettings) -> float:
    ...     return chosen.minutes
    >>> learn("letters", minutes=2.0)
    2.0
    >>> learn("letters", minutes="2")
    Traceback (most recent call last):
    spotlab.errors.BadArgument: minutes is '2' (of type str); expected a number above 0
    """
    kind: Any = settings
    signature = inspect.signature(kind)
    ordered = sorted(signature.parameters.values(), key=lambda each: each.name == "progress")

    def decorate(function: Callable[[Settings], Result]) -> Callable[P, Result]:
        @wraps(function)
        def call(*given: P.args, **named: P.kwargs) -> Result:
            try:
                signature.bind(*given, **named)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            chosen = settings(*given, **named)
            for each in type(chosen).__mro__:
                for name in vars(each).get("__annotations__", {}):
                    check_argument(getattr(chosen, name), name, setting_type(each, name))
            from spotlab.compute.executors import limited_to  # noqa: PLC0415 - takes a while

            with limited_to(getattr(chosen, "jobs", 0)):
                return function(chosen)

        result = inspect.signature(function).return_annotation
        call.__dict__["__signature__"] = signature.replace(
            parameters=ordered, return_annotation=result
        )
        call.__dict__["settings"] = kind
        call.__doc__ = _with_parameters(function.__doc__ or "", kind, ordered)
        return call

    return decorate


def checked(function: Callable[P, Result]) -> Callable[P, Result]:
    """Check the arguments of a function or method by its annotations when it is called.

    Parameters
    ----------
    function : callable

    Raises
    ------
    BadArgument
        By the function, if an argument is not what its annotation says.

    Examples
    --------
    >>> @checked
    ... def half(number: float) -> float:
    ...     return number / 2
    >>> half("2")
    Traceback (most recent call last):
    spotlab.errors.BadArgument: number is '2' (of type str); expected a number
    """
    signature = inspect.signature(function)
    annotations = {
        name: each.annotation
        for name, each in signature.parameters.items()
        if each.annotation is not each.empty
    }

    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> Result:
        try:
            bound = signature.bind(*given, **named)
        except TypeError as error:
            raise TypeError(f"{function.__name__}() {error}") from None
        known = vars(sys.modules[function.__module__])
        for name, value in bound.arguments.items():
            if name in annotations:
                check_argument(value, name, _evaluated(annotations[name], known))
        return function(*given, **named)

    return call


def unusable(value: object, name: str, expected: str) -> BadArgument:
    """The error that says what an argument is, and what was expected.

    Parameters
    ----------
    value : object
        What was given.
    name : str
        Of the argument.
    expected : str

    Examples
    --------
    >>> print(unusable(3, "truth", "a path"))
    truth is 3 (of type int); expected a path
    """
    text = shortened(" ".join(repr(value).split()), 80)
    return BadArgument(f"`{name}` is {text} (of type {type(value).__name__}); expected {expected}")


def check_argument(value: object, name: str, expected: Any) -> None:
    """See that an argument is what its type says, as far as spotlab's types say it.

    Parameters
    ----------
    value : object
    name : str
        Of the argument.
    expected : type
        With `Unknown` in it where another place has to look at the value.

    Raises
    ------
    BadArgument
        It is something else, or a number out of range.

    Examples
    --------
    >>> check_argument(50, "iou", Annotated[float, Range(0, 1, low_open=True)])
    Traceback (most recent call last):
    spotlab.errors.BadArgument: iou is 50 (of type int); expected a number above 0 and at most 1
    """
    rules = _rules(expected)
    if any(rule.fits(value) for rule in rules):
        return
    [*choices] = (rule.words for rule in rules if rule.is_choice)
    if choices and isinstance(value, str):
        raise BadArgument(f"`{name}` is {shortened(repr(value), 80)}; expected {choices[0]}")
    raise unusable(value, name, _in_words(rules))


class _Rule(NamedTuple):
    """Tells whether a value is of a type, and says in words what it is."""

    fits: Callable[[Any], bool]
    words: str
    is_choice: bool = False


_ANYTHING = _Rule(lambda value: True, "")  # another place looks at it


def _rules(expected: Any) -> list[_Rule]:
    """A rule for each type of a union."""
    kinds = flat_kinds(expected)
    bounds = next((each for each in kinds if isinstance(each, Range)), Range())
    types = [each for each in kinds if not isinstance(each, Range | PathKind)]
    has_choices = any(get_origin(each) is Literal for each in types)
    if has_choices or any(get_origin(each) is os.PathLike for each in types):
        types = [each for each in types if each is not str]  # a text is a choice or a path
    if not has_choices and any(_is_unknown(each) for each in types):
        return [_ANYTHING]
    return [_rule(each, bounds) for each in types]


def _is_unknown(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Unknown)


def _rule(kind: Any, bounds: Range) -> _Rule:
    simple = {
        NoneType: _Rule(lambda value: value is None, "None"),
        bool: _Rule(lambda value: type(value).__name__ in ("bool", "bool_"), "True or False"),
        int: _Rule(lambda value: _is_whole(value) and bounds.has(int(value)),
                   f"a whole number{bounds.describe()}"),
        float: _Rule(lambda value: _is_number(value) and bounds.has(float(value)),
                     f"a number{bounds.describe()}"),
        str: _Rule(lambda value: isinstance(value, str), "a text"),
        Progress: _Rule(callable, "a function of (done, total, doing)"),
    }  # fmt: skip
    origin, inner = get_origin(kind), get_args(kind)
    if kind in simple:
        return simple[kind]
    return _rule_of_parts(kind, origin, inner)


def _rule_of_parts(kind: Any, origin: Any, inner: tuple[Any, ...]) -> _Rule:
    """Make the rule of a type that has types or values in brackets, or of a class."""
    rule = _ANYTHING
    if origin is os.PathLike:
        rule = _Rule(lambda value: isinstance(value, str | os.PathLike), "a path")
    elif origin is Literal:
        rule = _Rule(lambda value: isinstance(value, str) and value in inner,
                     f"one of {', '.join(inner)}", is_choice=True)  # fmt: skip
    elif origin is Mapping:
        rule = _Rule(lambda value: isinstance(value, Mapping) and _are(value.values(), inner[1]),
                     f"a mapping of names to {_several(inner[1])}")  # fmt: skip
    elif origin in (Sequence, Iterable):
        rule = _Rule(lambda value: not isinstance(value, str | bytes | Mapping)
                     and isinstance(value, Iterable) and _are(value, inner[0]),
                     f"several {_several(inner[0])}")  # fmt: skip
    elif _is_unknown(kind):
        parents = operator.attrgetter("__class__.__mro__")
        rule = _Rule(lambda value: any(each.__name__ == kind.__name__ for each in parents(value)),
                     f"a value of type {kind.__name__}")  # fmt: skip
    elif isinstance(kind, type) and origin is None and not getattr(kind, "_is_protocol", False):
        rule = _Rule(lambda value: isinstance(value, kind), f"a value of type {kind.__name__}")
    return rule


def _are(values: Iterable[Any], expected: Any) -> bool:
    """Tell whether all are of a type; what can be gone through but once is not looked at."""
    rules = _rules(expected)
    return iter(values) is values or all(any(r.fits(each) for r in rules) for each in values)


def _is_whole(value: Any) -> bool:
    return hasattr(value, "__index__") and type(value).__name__ not in ("bool", "bool_")


def _is_number(value: Any) -> bool:
    is_real = isinstance(value, Real) and type(value).__name__ not in ("bool", "bool_")
    return is_real and not math.isnan(value)


def _in_words(rules: Iterable[_Rule]) -> str:
    return ", or ".join(dict.fromkeys(rule.words for rule in rules if rule.words))


def _several(expected: Any) -> str:
    """Say in words what several values of a type are.

    Examples
    --------
    >>> _several(Annotated[int, Range(1)])
    'whole numbers of at least 1'
    """
    one = re.sub(r"^an? ", "", _in_words(_rules(expected)))
    return re.sub(r"^(mapping|number|whole number|path|text)\b", r"\1s", one)


def _with_parameters(text: str, kind: type, parameters: Sequence[inspect.Parameter]) -> str:
    """A docstring that describes these parameters in place of the settings."""
    texts = setting_texts(kind)
    lines = []
    for each in parameters:
        what = texts[each.name]
        words = re.sub(r"--([a-z-]+)", lambda option: f"`{option[1].replace('-', '_')}`", what.text)
        lines.append(f"{each.name} : {what.type}")
        for paragraph in filter(None, (words, what.more)):
            lines += textwrap.wrap(paragraph, 92, initial_indent="    ", subsequent_indent="    ")
    before, head, rest = inspect.cleandoc(text).partition("Parameters\n----------\n")
    _, blank, after = rest.partition("\n\n")
    return before + head + "\n".join(lines) + blank + after
