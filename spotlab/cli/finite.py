"""Numbers on the command line that have to be numbers: neither nan nor inf."""

from __future__ import annotations

import math
from typing import Any

import click


class Finite(click.FloatRange):
    """A float, at least ``min`` where that is given."""

    name = "float"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Refuse what no score can be held against."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number

    def _describe_range(self) -> str:
        return "" if self.min is None else super()._describe_range()


FINITE = Finite()
