"""Changes valid files in ways that respect how they are built, so that readers get far in them."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from tests.soak.damage import DAMAGES

NUMBERS = (
    "", "-1", "0", "-0.0", "1e308", "-1e308", "1e400", "nan", "inf", "-inf", "1_0", "0x10", "٣",
    "1e-320", "2147483648", "9" * 400, "9" * 5000, "1.", ".", "--5", "1,5", " 7 ",
    "9007199254740993",
)  # fmt: skip
TEXTS = (
    "", " ", "\0", "\x1b[2J", "a" * 5000, "../../x", "/etc/passwd", "é\u0301", "n" * 300, "\ud800",
    "\u202e", "😀",
    "=1+1", '"', "'", "<", "&amp;", "&#0;", "&x;", "]]>", "nul\nline", ",", "\ufeff", "\ud7ff",
    "None", "truth", "page", "query", "0,0", "0,0 1", "1,1 1,1 1,1", "1,1 2,2 3",
    "nan,nan 1,1 2,2",
    "9e9,9e9 1,1 2,2", "-5,-5 900,-5 900,900 -5,900", "0,0 9,9 9,0 0,9",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 2**31, 2**64, 10**400, 1.5, 1e308, float("nan"), float("inf"), "",
    "x", [], {}, [[]], [None], {"": None}, [1, 2], ["a"], [[1, 2], [3]], "a" * 5000, "\0", "é",
    "\ud800", "n" * 300, "../../x", {"a": [[[[]]]]},
)  # fmt: skip
Mutation = Callable[[bytes, random.Random], bytes]


def mutated(content: bytes, name: str, chance: random.Random) -> bytes:
    """The content after one to four changes of the kinds that suit the file's name."""
    suffix = name.rpartition(".")[2]
    own = BY_SUFFIX.get(suffix, ())
    for _ in range(chance.choice((1, 1, 1, 2, 2, 4))):
        change: Mutation = chance.choice((*own, *own, *own, *ANY)) if own else chance.choice(ANY)
        try:
            content = change(content, chance)
        except Exception:  # whatever the change relies on
            content = flipped_some(content, chance)  # it is too damaged already
    return content


def flipped_some(content: bytes, chance: random.Random) -> bytes:
    """Some bits are others."""
    return DAMAGES["flipped"](content, chance)


def piece_moved(content: bytes, chance: random.Random) -> bytes:
    """A piece is left out, doubled or put elsewhere."""
    start = chance.randrange(len(content) + 1)
    length = chance.choice((1, 4, 40, 400))
    piece, rest = content[start : start + length], content[:start] + content[start + length :]
    if chance.random() < 0.4:
        return rest
    place = chance.randrange(len(rest) + 1)
    return rest[:place] + piece * chance.choice((1, 2, 50)) + rest[place:]


def number_changed(content: bytes, chance: random.Random) -> bytes:
    """A number that is written in digits is another."""
    found = list(re.finditer(rb"-?\d+(\.\d+)?", content))
    match = chance.choice(found)
    return content[: match.start()] + chance.choice(NUMBERS).encode() + content[match.end() :]


def spliced(content: bytes, chance: random.Random) -> bytes:
    """Something nasty stands somewhere in it."""
    place = chance.randrange(len(content) + 1)
    nasty = chance.choice(
        (b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\xc3", b"<!--", b"\x80" * 9)
    )
    return content[:place] + nasty + content[place:]


def attribute_changed(content: bytes, chance: random.Random) -> bytes:
    """An attribute has another value, another name, or is gone."""
    match = chance.choice(list(re.finditer(rb'\s([\w:]+)="([^"]*)"', content)))
    value = chance.choice((*NUMBERS, *TEXTS)).encode("utf-8", "replace")
    value = value.replace(b'"', b"&quot;") if chance.random() < 0.9 else value
    new = chance.choice((
        b' %s="%s"' % (match[1], value), b' %s="%s"' % (match[1], value), b"",
        b' x%s="%s"' % (match[1], match[2]), match[0] + match[0],
    ))  # fmt: skip
    return content[: match.start()] + new + content[match.end() :]


def element_changed(content: bytes, chance: random.Random) -> bytes:
    """An element is doubled, left out, renamed, emptied or nested in itself."""
    match = chance.choice(list(re.finditer(rb"<([\w:]+)[^<>]*?(/>|>[^<]*</\1>)", content)))
    whole, name = match[0], match[1]
    kind = chance.randrange(6)
    if kind == 5:
        start = b"<%s>" % name
        depth = chance.choice((3, 150, 400))
        new = start * depth + whole + b"</%s>" % name * depth
    else:
        nasty = chance.choice(TEXTS).encode("utf-8", "replace")
        new = (b"", whole * chance.choice((2, 40)), whole.replace(name, b"Other"),
               b"<%s/>" % name, b"<%s>%s</%s>" % (name, nasty, name))[kind]  # fmt: skip
    return content[: match.start()] + new + content[match.end() :]


def value_changed(content: bytes, chance: random.Random) -> bytes:
    """A value of JSON is another, gone, doubled or nested."""
    whole = [json.loads(content)]
    places: list[tuple[Any, Any]] = []
    stack: list[Any] = [whole]
    while stack:
        value = stack.pop()
        keys = value.keys() if isinstance(value, dict) else range(len(value))
        for key in keys:
            places.append((value, key))
            if isinstance(value[key], dict | list):
                stack.append(value[key])
    owner, key = chance.choice(places)
    match chance.randrange(5):
        case 0 if owner is not whole:
            del owner[key]
        case 1 if isinstance(owner, list):
            owner.extend([owner[key]] * chance.choice((1, 30)))
        case 2:
            for _ in range(chance.choice((1, 60, 300))):
                owner[key] = [owner[key]]
        case 3 if isinstance(owner, dict):
            owner[chance.choice(("", "x", "id", "name"))] = owner.pop(key)
        case _:
            owner[key] = chance.choice(VALUES)
    return json.dumps(whole[0]).encode() if whole else b""


def cell_changed(content: bytes, chance: random.Random) -> bytes:
    """A cell is another, or a row or column is left out, doubled or moved."""
    rows = list(csv.reader(io.StringIO(content.decode("utf-8", "surrogateescape"), newline="")))
    row = chance.choice(rows)
    match chance.randrange(8):
        case 0:
            rows.remove(row)
        case 1:
            rows += [row] * chance.choice((1, 50))
        case 2:
            del row[chance.randrange(len(row))]
        case 3:
            row.append(chance.choice(TEXTS))
        case 4:
            chance.shuffle(rows)
        case 5:
            column = chance.randrange(len(rows[0]))
            for each in rows:
                del each[column : column + 1]
        case _:
            row[chance.randrange(len(row))] = chance.choice((*NUMBERS, *TEXTS))
    text = io.StringIO()
    csv.writer(text, lineterminator=chance.choice(("\n", "\n", "\r\n", "\r"))).writerows(rows)
    return text.getvalue().encode("utf-8", "surrogateescape")


def word_changed(content: bytes, chance: random.Random) -> bytes:
    """A word of a line is another."""
    lines = [line.split(b" ") for line in content.split(b"\n")]
    line = chance.choice(lines)
    new = chance.choice((*NUMBERS, *TEXTS)).encode("utf-8", "replace")
    line[chance.randrange(len(line))] = new
    return b"\n".join(map(b" ".join, lines))


def member_changed(content: bytes, chance: random.Random) -> bytes:
    """A member of an archive is damaged, with right checksums, or gone, or called otherwise."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    at = chance.randrange(len(members))
    name, data = members[at]
    match chance.randrange(4):
        case 0:
            del members[at]
        case 1:
            members[at] = chance.choice(("x.npy", "../x.npy", "scores.npy", "")), data
        case 2:
            shape = chance.choice((b"(1,)", b"(9, 9)", b"(999999999999,)", b"(-1,)", b"()", b"x"))
            data = re.sub(rb"\([0-9, ]*\)", shape, data, count=1)
            kind = chance.choice(
                (b"<f8", b"|O", b"<U9", b"<i8", b">f2", b"|V8", b"<M8[s]", b"<c16")
            )
            members[at] = name, re.sub(rb"'[<|>][a-zA-Z]\d+'", b"'%s'" % kind, data, count=1)
        case _:
            members[at] = name, flipped_some(data, chance)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", chance.choice((0, 8))) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed.getvalue()


def chunk_changed(content: bytes, chance: random.Random) -> bytes:
    """A chunk of a PNG is damaged, with the right checksum, or gone, doubled or renamed."""
    chunks, at = [], 8
    while at + 12 <= len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        chunks.append((content[at + 4 : at + 8], content[at + 8 : at + 8 + length]))
        at += length + 12
    place = chance.randrange(len(chunks))
    kind, data = chunks[place]
    match chance.randrange(5):
        case 0:
            del chunks[place]
        case 1:
            chunks.insert(place, (kind, data))
        case 2:
            chunks[place] = chance.choice((b"tEXt", b"iCCP", b"PLTE", b"IDAT", b"acTL")), data
        case 3 if kind == b"IHDR":
            side = chance.choice((0, 1, 2**31 - 1, 2**32 - 1, 20_000, 100_000))
            chunks[place] = kind, struct.pack(">I", side) + data[4:]
        case _:
            chunks[place] = kind, flipped_some(data, chance)
    packed = [struct.pack(">I", len(data)) + kind + data
              + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks]  # fmt: skip
    return content[:8] + b"".join(packed)


XML = (attribute_changed, attribute_changed, element_changed, number_changed)
JSON = (value_changed, value_changed, number_changed)
LINES = (word_changed, number_changed)
TABLE = (cell_changed, cell_changed, number_changed)
ANY: tuple[Mutation, ...] = (flipped_some, piece_moved, spliced, DAMAGES["cut"], DAMAGES["zeroed"])
BY_SUFFIX: dict[str, tuple[Mutation, ...]] = {
    "xml": XML, "svg": XML, "bpmn": XML, "json": JSON, "csv": TABLE, "trec": LINES, "txt": LINES,
    "npz": (member_changed, member_changed), "png": (chunk_changed,),
    "pdf": (number_changed, word_changed), "hocr": XML, "yaml": LINES, "jsonl": LINES,
    "spotlab": JSON, "models": JSON,
}  # fmt: skip
