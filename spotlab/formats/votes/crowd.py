"""Answers as crowd platforms export them: names of their columns, words for yes and no, and JSON.

Toloka (``INPUT:…``, ``OUTPUT:…``, ``ASSIGNMENT:worker_id``), Mechanical Turk (``Input.…``,
``Answer.…``, ``WorkerId``), Prodigy (JSON Lines), Label Studio (choices, JSON), Zooniverse.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from spotlab.errors import BadInput
from spotlab.formats.rows.json_values import load_json, parse_json
from spotlab.formats.rows.text_files import Remark, read_text

YES = frozenset({"yes", "y", "true", "accept", "accepted", "relevant", "ja", "oui", "sí", "да"})
NO = frozenset({"no", "n", "false", "reject", "rejected", "irrelevant", "not relevant", "nein",
                "non", "нет"})  # fmt: skip
NOTHING = frozenset({"unknown", "ignore", "skip", "skipped", "?", "n/a", "na", "none", "unsure"})
_COLUMNS = {  # behind the names of spotlab's own files, the most telling first
    "item": ("item_id", "question_id", "task_id", "text", "image", "url", "subject_ids", "example",
             "_input_hash", "hitid", "id"),
    "system": ("worker_id", "workerid", "assignment:worker_id", "annotator_id", "_annotator_id",
               "_session_id", "performer", "user_name", "user_id", "user", "labeler", "rater"),
    "vote": ("response", "value", "judgement", "judgment", "rating", "class"),
}  # fmt: skip
_PREFIXES = {"item": ("input:", "input."), "vote": ("output:", "answer.")}


def crowd_column(names: Sequence[str], role: str) -> int | None:
    """The place of the column that a platform calls so, of names in lower case.

    Parameters
    ----------
    names : sequence of str
    role : {"item", "system", "vote", "truth"}

    Raises
    ------
    ValueError
        Several columns have answers; the text names them.

    Examples
    --------
    >>> crowd_column(["input:image", "output:result", "assignment:worker_id"], "vote")
    1
    """
    begun = [at for at, name in enumerate(names) if name.startswith(_PREFIXES.get(role, ("\0",)))]
    if role == "vote" and len(begun) > 1:
        raise ValueError("several columns of answers: " + ", ".join(names[at] for at in begun))
    if begun:
        return begun[0]
    return next((names.index(name) for name in _COLUMNS.get(role, ()) if name in names), None)


def said_vote(text: str) -> float | None:
    """1 for a word that means yes in any case, 0 for no, NaN for neither; None for other words.

    Examples
    --------
    >>> said_vote("Yes"), said_vote("nein"), said_vote("skip"), said_vote("cat")
    (1.0, 0.0, nan, None)
    """
    word = unicodedata.normalize("NFC", text.strip()).casefold()
    if word in NOTHING:
        return float("nan")
    return 1.0 if word in YES else 0.0 if word in NO else None


def words_remark(words: Mapping[str, float], what: str) -> str:
    """The remark on words that were taken for votes, or truth.

    Examples
    --------
    >>> words_remark({"Ja": 1.0, "nein": 0.0}, "vote")
    "words of the votes are taken: 'Ja' for yes, 'nein' for no"
    """
    kinds: dict[str, list[str]] = {"yes": [], "no": [], "unknown": []}
    for word, value in words.items():
        kinds["unknown" if math.isnan(value) else "yes" if value else "no"].append(repr(word))
    parts = [f"{', '.join(found)} for {kind}" for kind, found in kinds.items() if found]
    return f"words of the {what}s are taken: {', '.join(parts)}"


def is_json(head: bytes) -> bool:
    """Tell whether a file begins as JSON does."""
    return head.lstrip()[:1] in (b"{", b"[")


def first_record(head: bytes) -> Mapping[str, Any]:
    """The first record in the beginning of a file of JSON; empty where it is not whole.

    Examples
    --------
    >>> first_record(b'{"text": "a", "answer": "accept"}')
    {'text': 'a', 'answer': 'accept'}
    """
    text = head.decode("utf-8", "replace").lstrip().removeprefix("[").lstrip()
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    return next(_rows([value]), {})


def read_records(path: Path, remark: Remark) -> list[dict[str, str]]:
    """The answers in a file of JSON or JSON Lines, as rows of a table.

    Raises
    ------
    BadInput
        It is neither, or has no answers.
    """
    try:
        content = load_json(path, "answers", remark)
    except BadInput:
        lines = [line for line in read_text(path).splitlines() if line.strip()]
        content = []
        for number, line in enumerate(lines, 1):
            try:
                content.append(parse_json(line))
            except ValueError as error:
                if number < 2:
                    raise BadInput(path, "not JSON", place="line 1", expected="answers") from error
                remark(f"{path}, line {number}: not JSON; left out")
    values = content if isinstance(content, list) else [content]
    rows = [
        {name: "" if value is None else str(value) for name, value in row.items()
         if not isinstance(value, dict | list)}
        for row in _rows(values)
    ]  # fmt: skip
    if not rows:
        raise BadInput(path, "there are no answers in it", expected="records of answers")
    return rows


def _rows(values: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Records with values of their own; of Label Studio one for each annotation."""
    for value in values:
        if not isinstance(value, dict):
            continue
        annotations = value.get("annotations", value.get("completions"))
        if not isinstance(annotations, list) or not isinstance(value.get("data"), dict):
            yield value
            continue
        item = next((text for text in value["data"].values() if isinstance(text, str)), None)
        for each in annotations:
            if isinstance(each, dict) and not each.get("was_cancelled"):
                yield {
                    "item": item or value.get("id"),
                    "annotator": _who(each.get("completed_by")),
                    "answer": _choice(each.get("result")),
                }


def _who(value: Any) -> Any:
    if isinstance(value, dict):
        return value.get("email") or value.get("id")
    return value


def _choice(results: Any) -> str | None:
    """The first choice of an annotation."""
    for result in results if isinstance(results, list) else ():
        value = result.get("value") if isinstance(result, dict) else None
        choices = value.get("choices") if isinstance(value, dict) else None
        if isinstance(choices, list) and choices:
            return str(choices[0])
    return None
