"""Turns files of text into UTF-8, whatever they are kept in: packed by gzip, UTF-16, a code page.

UTF-8 is taken as it is. UTF-16 and UTF-32 are known by their byte order mark or by their zero
bytes. Where most lines with other characters than ASCII are not UTF-8, the text is in an older code
page, which no file names: it is guessed from the characters, and the guess is reported.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple

from spotlab.errors import BadInput, reason
from spotlab.files import open_file
from spotlab.formats.rows.files import BYTE_ORDER_MARK, MAXIMUM_BYTES, read_bytes
from spotlab.representation import utf8

Remark = Callable[[str], object]  # takes a sentence for a person


def discard(remark: str) -> None:
    """Do nothing with a remark, where there is nobody to tell it."""


PACKED = b"\x1f\x8b"  # how a file begins that gzip has made
LARGEST_UNPACKED = 4 * 1024**3  # bytes of a table that is read piece by piece
_PIECE = 2**20
HEAD_BYTES = 4096  # that tell what a file is
_EVIDENCE = 2**18  # bytes of lines from which the code page is guessed
_MARKS = (  # the longer ones first: UTF-32's begins as UTF-16's does
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ZEROS = {  # which of four bytes are zero in texts that are mostly ASCII
    (False, True, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
}


class _DoubleByte(NamedTuple):
    """A code page of two bytes a character, and the characters that texts are mostly of."""

    codec: str
    title: str
    usual: re.Pattern[bytes]


_DOUBLE = (
    _DoubleByte("gb18030", "GB18030 (Chinese)", re.compile(rb"[\xa1-\xf7][\xa1-\xfe]")),
    _DoubleByte(
        "cp932", "Shift-JIS (Japanese)",
        re.compile(rb"[\x81-\x83\x88-\x9f][\x40-\x7e\x80-\xfc]|[\xe0-\xea][\x40-\x7e\x80-\xfc]"),
    ),
    _DoubleByte(
        "big5", "Big5 (Chinese)", re.compile(rb"[\xa1\xa4-\xc6][\x40-\x7e\xa1-\xfe]")
    ),
)  # fmt: skip
_KANA = re.compile("[\u3041-\u30ff]")
_HANGUL = re.compile(rb"(?:[\xb0-\xc8][\xa1-\xfe])+")
_HIGH = re.compile(rb"[\x80-\xff]+")
_USUAL_SHARE = 0.85
_SINGLE = (  # ordered by how common they are
    ("cp1252", "Windows-1252 (Western European)",
     "äöüÄÖÜßéèêëàâáåãçîïíìôóòõûúùñøæœÉÈÀÇÑØÅÆŒ°–’“”€µ§"),
    ("cp1250", "Windows-1250 (Central European)", "ąćęłńóśźżĄĆĘŁŃÓŚŹŻěščřžýáíéůúďťňĚŠČŘŽőűŐŰäöüß"),
    ("mac_roman", "Mac Roman", "äöüÄÖÜßéèêëàâáåãçîïíìôóòõûúùñøæœÉÈÀÇÑØ"),
    ("cp850", "code page 850 (DOS)", "äöüÄÖÜßéèêëàâáåçîïíìôóòûúùñøæÉÇÑÅÆ"),
)  # fmt: skip


def read_text(path: Path, remark: Remark = discard) -> str:
    """The text of a whole file.

    Parameters
    ----------
    path : Path
    remark : callable
        Takes what a person should know: the code page that was guessed, bytes that were replaced.

    Raises
    ------
    BadInput
        It cannot be read, is empty, or larger than a file of truth may be.
    """
    return decode(read_bytes(path), path, remark)


def read_utf8(path: Path, remark: Remark) -> bytes:
    """The text of a whole table as UTF-8; bytes that are not UTF-8 stay, for who names its lines.

    Raises
    ------
    BadInput
        It cannot be read.
    """
    try:
        with TextFile(path, remark) as file:
            content = b"".join(iter(lambda: file.read(_PIECE), b""))
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error
    return content.removeprefix(BYTE_ORDER_MARK)


def decode(content: bytes, path: Path, remark: Remark) -> str:
    r"""The text in these bytes of a file, see `read_text`.

    Examples
    --------
    >>> said = []
    >>> decode("Tür".encode("latin-1"), Path("labels.txt"), said.append)
    'Tür'
    >>> [said[0].partition("; ")[0] + "; …"]
    ['text read as Windows-1252 (Western European), which was guessed; …']
    >>> decode(b"\xff\xfeT\0", Path("labels.txt"), said.append)
    'T'
    """
    content = unpack(content, path)
    encoding = _encoding_of(io.BytesIO(content))
    if encoding.codec == "utf-8":
        content = content.removeprefix(BYTE_ORDER_MARK)
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            line = len(content[: error.start + 1].splitlines())
            remark(
                f"line {line}: the byte 0x{content[error.start]:02X} is not UTF-8; "
                "such bytes are read as �"
            )
            return content.decode("utf-8", "replace")
    _report(encoding, remark)
    return content[encoding.mark :].decode(encoding.codec, "replace")


def unpack(content: bytes, path: Path, largest: int = MAXIMUM_BYTES) -> bytes:
    """The bytes, unpacked if gzip has packed them.

    Raises
    ------
    BadInput
        They are damaged, or more than ``largest`` when unpacked.

    Examples
    --------
    >>> unpack(gzip.compress(b"name"), Path("labels.csv.gz"))
    b'name'
    """
    if not content.startswith(PACKED):
        return content
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        unpacked = _read_packed(file, largest + 1, path)
    if len(unpacked) > largest:
        raise BadInput(path, f"unpacked more than {largest:,} bytes", expected="a smaller file")
    return unpacked


def content_name(path: Path) -> Path:
    """The path without the ending of gzip.

    Examples
    --------
    >>> content_name(Path("run.csv.gz")).name, content_name(Path("run.csv")).name
    ('run.csv', 'run.csv')
    """
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def read_head(path: Path, size: int = HEAD_BYTES) -> bytes:
    """The beginning of a file, as UTF-8 where it is packed or UTF-16; other bytes as they are.

    Raises
    ------
    BadInput
        It cannot be read.
    """
    try:
        with open_file(path) as file:
            head = file.read(size)
            if head.startswith(PACKED):
                file.seek(0)
                with gzip.GzipFile(fileobj=file) as unpacked:
                    head = _read_packed(unpacked, size, path)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error
    encoding = _wide_encoding(head)
    if encoding is None:
        return head
    text = head[encoding.mark :].decode(encoding.codec, "replace")
    return head if text.lstrip().startswith("<") else utf8(text)  # XML tells its encoding


class TextFile:
    """A file of text that is read as UTF-8 piece by piece.

    Parameters
    ----------
    path : Path
    remark : callable
        See `read_text`.

    Attributes
    ----------
    size : int
        Of the file on the disk, in bytes.

    Raises
    ------
    OSError
        It cannot be opened.
    BadInput
        It is packed and damaged.
    """

    def __init__(self, path: Path, remark: Remark) -> None:
        self._path = path
        self._disk = open_file(path)
        try:
            self.size = os.fstat(self._disk.fileno()).st_size
            packed = self._disk.read(2) == PACKED
            self._disk.seek(0)
            self._file: BinaryIO = (
                gzip.GzipFile(fileobj=self._disk) if packed else self._disk  # type: ignore[assignment]
            )
            self._left = LARGEST_UNPACKED if packed else None
            encoding = self._encoding()
        except BaseException:
            self._disk.close()
            raise
        _report(encoding, remark)
        self._decoder = None
        if encoding.codec != "utf-8":
            self._file.seek(encoding.mark)
            self._decoder = codecs.getincrementaldecoder(encoding.codec)("replace")

    def _encoding(self) -> _Encoding:
        try:
            encoding = _encoding_of(self._file)
            self._file.seek(0)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise _damaged(self._path, error) from error
        return encoding

    def __enter__(self) -> TextFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._disk.close()

    def tell(self) -> int:
        """The number of bytes on the disk that have been read."""
        return min(self._disk.tell(), self.size)

    def read(self, size: int) -> bytes:
        """Some more text; none at the end of the file.

        Raises
        ------
        BadInput
            It is damaged, or too large when unpacked.
        """
        try:
            piece = self._file.read(size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise _damaged(self._path, error) from error
        if self._left is not None:
            self._left -= len(piece)
            if self._left < 0:
                problem = f"unpacked more than {LARGEST_UNPACKED:,} bytes"
                raise BadInput(self._path, problem, expected="a smaller file")
        if self._decoder is None:
            return piece
        text = self._decoder.decode(piece, final=not piece)
        while piece and not text:  # a piece may end within a character
            piece = self._file.read(size)
            text = self._decoder.decode(piece, final=not piece)
        return utf8(text)


class _Encoding(NamedTuple):
    """Codec of a text, the length of its byte order mark, and its title where it was guessed."""

    codec: str
    mark: int = 0
    guessed: str = ""


_UTF8 = _Encoding("utf-8")


def _report(encoding: _Encoding, remark: Remark) -> None:
    if encoding.guessed:
        remark(
            f"text read as {encoding.guessed}, which was guessed; save the file as UTF-8 if "
            "letters are wrong"
        )


def _damaged(path: Path, error: Exception) -> BadInput:
    cut = isinstance(error, EOFError)
    problem = "the packed file is cut off" if cut else "the packed file is damaged"
    return BadInput(path, problem, expected="a file as gzip makes it")


def _read_packed(file: gzip.GzipFile, size: int, path: Path) -> bytes:
    try:
        return file.read(size)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _damaged(path, error) from error


def _encoding_of(file: BinaryIO | io.BytesIO) -> _Encoding:
    """The encoding of an open file, which is read from its beginning to its end at most twice."""
    head = file.read(HEAD_BYTES)
    wide = _wide_encoding(head)
    if wide is not None:
        return wide
    file.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for piece in iter(lambda: file.read(_PIECE), b""):
            if not piece.isascii() or decoder.getstate()[0]:
                decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        file.seek(0)
        return _guessed(file)
    return _UTF8


def _wide_encoding(head: bytes) -> _Encoding | None:
    """The encoding of a text in UTF-16 or UTF-32; None where it is neither."""
    for mark, codec in _MARKS:
        if head.startswith(mark):
            return _Encoding(codec, len(mark))
    head = head[: len(head) // 4 * 4]
    if len(head) < 8 or b"\0" not in head:
        return None
    quarter = len(head) // 4
    zeros = [head[at::4].count(0) for at in range(4)]
    first, second, third, fourth = (count > 0.7 * quarter for count in zeros)
    wide = _ZEROS.get((first, second, third, fourth))
    if wide is None or any(0 < n < quarter and n <= 0.7 * quarter for n in zeros):
        return None
    return _Encoding(wide)


def _guessed(file: BinaryIO | io.BytesIO) -> _Encoding:
    """The encoding of a text that is not UTF-8; UTF-8 if only some of its lines are not."""
    other: list[bytes] = []
    size = sound = 0
    for line in _lines(file):
        if line.isascii():
            continue
        if b"\0" in line:
            return _UTF8  # no text at all
        try:
            line.decode()
            sound += 1
        except UnicodeDecodeError:
            other.append(line)
            size += len(line)
            if size > _EVIDENCE:
                break
    if sound > len(other):
        return _UTF8
    return guess_code_page(b"\n".join(other))


def _lines(file: BinaryIO | io.BytesIO) -> Iterator[bytes]:
    """Lines of bytes, however they end; very long ones in pieces."""
    rest = b""
    for piece in iter(lambda: file.read(_PIECE), b""):
        *lines, rest = re.split(rb"[\r\n]", rest + piece)
        yield from lines
    yield rest


def guess_code_page(text: bytes) -> _Encoding:
    """The code page that a text which is not UTF-8 is most probably in.

    A code page of two bytes a character is taken where the text has mostly usual characters of it
    that do not stand within words of ASCII letters; else the one with the most usual letters.

    Examples
    --------
    >>> [guess_code_page(word.encode(codec)).codec for word, codec in [
    ...     ("沙发", "gbk"), ("ソファー", "cp932"), ("沙發,桌子", "big5"), ("Tür", "latin-1"),
    ...     ("диван", "cp1251"), ("łóżko", "cp1250"), ("Größe", "mac_roman"), ("Tür", "cp850")]]
    ['gb18030', 'cp932', 'big5', 'cp1252', 'cp1251', 'cp1250', 'mac_roman', 'cp850']
    """
    high = b"".join(_HIGH.findall(text))
    within = _share_within_words(text.decode("latin-1"))
    words = [run for run in _HIGH.findall(text) if len(run) > 1]
    if words and within <= 0.5 and sum(byte >= 0xE0 for byte in high) > 0.6 * len(high):
        return _Encoding("cp1251", 0, "Windows-1251 (Cyrillic)")
    best, found = 0.0, None
    for page in _DOUBLE:
        share = _usual_share(text, page)
        if share > best:
            best, found = share, page
    if found is not None and best >= _USUAL_SHARE:
        if found.codec == "gb18030":
            if len(_KANA.findall(text.decode("gb18030"))) > len(high) / 10:
                return _Encoding("euc_jp", 0, "EUC-JP (Japanese)")
            if len(set(high)) > 12 and all(map(_HANGUL.fullmatch, _HIGH.findall(text))):
                return _Encoding("cp949", 0, "EUC-KR (Korean)")
        return _Encoding(found.codec, 0, found.title)
    shares = [
        sum(letter in usual for byte in high for letter in bytes([byte]).decode(codec, "replace"))
        for codec, _, usual in _SINGLE
    ]
    codec, title, _ = _SINGLE[shares.index(max(shares))]
    if codec == "cp1252" and any(byte in b"\x81\x8d\x8f\x90\x9d" for byte in high):
        codec, title = "latin-1", "ISO 8859-1 (Western European)"
    return _Encoding(codec, 0, title)


def _usual_share(text: bytes, page: _DoubleByte) -> float:
    """Share of usual characters among those that are not ASCII; 0 where it is no such text."""
    try:
        decoded = text.decode(page.codec)
    except UnicodeDecodeError:
        return 0.0
    others = [letter for letter in decoded if not letter.isascii()]
    if _share_within_words(decoded) > 0.5:
        return 0.0
    usual = sum(bool(page.usual.fullmatch(letter.encode(page.codec))) for letter in others)
    return usual / len(others)


def _share_within_words(text: str) -> float:
    """Share of runs of other characters than ASCII that touch a letter of ASCII."""
    runs = re.findall(r"([A-Za-z]?)[^\x00-\x7f]+(?=([A-Za-z]?))", text)
    return sum(bool(before or after) for before, after in runs) / len(runs)
