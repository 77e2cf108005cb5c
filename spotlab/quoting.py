"""What names and texts of files hold that no terminal, window or file should be handed as it is.

Files, and the errors about them, keep their text as it is. It is quoted once, where it leaves the
program: on the console (`spotlab.cli.console`) and in the window (`spotlab.gui.kit.plain_text`).
"""

from __future__ import annotations

import re

# control characters of both sets; line and paragraph separators; what turns the direction of
# writing; and halves of characters, which stand for bytes of file names that are no text
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, kept: str = "") -> str:
    r"""Write each control character of a text as an escape sequence, as JSON and Python know it.

    Parameters
    ----------
    text : str
    kept : str
        Control characters that stay as they are.

    Examples
    --------
    >>> print(visible("plan\x1b[2J\nsofa \u202efosa"))
    plan\u001b[2J\nsofa \u202efosa
    >>> visible("Grüße, 日本") == "Grüße, 日本"
    True
    """

    def escape(found: re.Match[str]) -> str:
        sign = found[0]
        return sign if sign in kept else _SHORT.get(sign, f"\\u{ord(sign):04x}")

    return _CONTROLS.sub(escape, text)


def well_formed(text: str) -> str:
    """Replace halves of characters, which no text in UTF-8 has, by question marks.

    Names of files have them where they are in another encoding.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> well_formed("caf\\udce9, café")
    'caf?, café'
    """
    return utf8(text).decode()


def utf8(text: str) -> bytes:
    """Encode a text for a file, as `well_formed` makes it.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> utf8("caf\\udce9")
    b'caf?'
    """
    return text.encode("utf-8", "replace")
