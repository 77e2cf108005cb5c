"""Small pages with words on them, and their truth as PAGE XML, for tests of word spotting."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from spotlab.model.ranked_list import Items
from spotlab.spotting.words.extraction.candidates import WordCandidates, word_candidates
from spotlab.spotting.words.extraction.layout import InkMap, find_layout

NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"

LINES = (
    (("letter", "orders", "and"), ("the", "captain", "orders")),
    (("orders", "company", "the"), ("letter", "and", "flour")),
    (("captain", "the", "orders"), ("flour", "letter", "company")),
)
_LEFT, _TOP, _LINE, _GAP = 20, 50, 60, 40


def write_page(path: Path, lines: tuple[tuple[str, ...], ...], shift: int = 0) -> Items:
    """Draw words on a page; what is where."""
    pixels = np.full((60 + _LINE * len(lines), 620), 235, np.uint8)
    boxes, texts = [], []
    for number, line in enumerate(lines):
        x, y = _LEFT + shift, _TOP + _LINE * number
        for word in line:
            alone = np.full_like(pixels, 235)
            cv2.putText(alone, word, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 1.2, 40, 2, cv2.LINE_AA)
            rows, columns = (np.flatnonzero((alone < 200).any(axis=axis)) for axis in (1, 0))
            boxes.append((columns[0], rows[0], columns[-1] + 1, rows[-1] + 1))
            texts.append(word)
            pixels = np.minimum(pixels, alone)
            x = int(columns[-1]) + _GAP
    cv2.imwrite(str(path), pixels)
    return Items((path.stem,), np.zeros(len(boxes), np.int64), np.array(boxes, float), tuple(texts))


def write_pages(folder: Path, count: int = 3) -> Items:
    """Pages ``page_1.png`` and so on; all words on them."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [
        write_page(folder / f"page_{number + 1}.png", LINES[number % len(LINES)], 3 * number)
        for number in range(count)
    ]
    return Items(
        tuple(part.pages[0] for part in parts),
        np.concatenate([part.page + number for number, part in enumerate(parts)]),
        np.concatenate([part.boxes for part in parts]),
        tuple(text for part in parts for text in part.texts),
    )


def write_words(folder: Path, words: Items) -> None:
    """The words as PAGE XML beside the images."""
    for number, name in enumerate(words.pages):
        nodes = []
        for word in np.flatnonzero(words.page == number).tolist():
            left, top, right, bottom = words.boxes[word].astype(int).tolist()
            points = f"{left},{top} {right},{top} {right},{bottom} {left},{bottom}"
            nodes.append(
                f'<Word id="w{word}"><Coords points="{points}"/><TextEquiv><Unicode>'
                f"{words.text(word)}</Unicode></TextEquiv></Word>"
            )
        (folder / f"{name}.xml").write_text(
            f'<PcGts xmlns="{NAMESPACE}"><Metadata><Creator/><Created>2020-01-01T00:00:00</Created>'
            "<LastChange>2020-01-01T00:00:00</LastChange></Metadata>"
            f'<Page imageFilename="{name}.png" imageWidth="620" imageHeight="180">'
            '<TextRegion id="r"><Coords points="0,0 619,0 619,179 0,179"/>'
            '<TextLine id="l"><Coords points="0,0 619,0 619,179 0,179"/>'
            f"{''.join(nodes)}</TextLine></TextRegion></Page></PcGts>"
        )


def candidates_of(ink: InkMap) -> WordCandidates:
    """What may be level words of a page, in its px."""
    return word_candidates(find_layout(ink))
