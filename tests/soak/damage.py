"""Ways to damage a file, each of them from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable

Damage = Callable[[bytes, random.Random], bytes]


def cut(content: bytes, chance: random.Random) -> bytes:
    """Only the beginning is there."""
    return content[: chance.randrange(max(len(content), 1))]


def empty(content: bytes, chance: random.Random) -> bytes:
    """Nothing is there."""
    return b""


def flipped(content: bytes, chance: random.Random) -> bytes:
    """One to eight bits are others."""
    changed = bytearray(content or b"\0")
    for _ in range(chance.choice((1, 1, 2, 8))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def zeroed(content: bytes, chance: random.Random) -> bytes:
    """A block holds zeros, as after a power cut."""
    start = chance.randrange(max(len(content), 1))
    length = min(chance.choice((16, 512, 4096)), len(content) - start)
    return content[:start] + bytes(length) + content[start + length :]


def foreign(content: bytes, chance: random.Random) -> bytes:
    """Something else is there."""
    return chance.randbytes(chance.choice((1, 100, 5000)))


def longer(content: bytes, chance: random.Random) -> bytes:
    """Something follows."""
    return content + chance.randbytes(chance.choice((1, 100)))


DAMAGES: dict[str, Damage] = {
    each.__name__: each for each in (cut, empty, flipped, zeroed, foreign, longer)
}
