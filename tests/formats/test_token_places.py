"""Where on its page a word is that systems vote on, from PAGE and ALTO files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from spotlab.formats.votes.reading import read_votes
from spotlab.formats.votes.token_places import place_of_item

WORD = (
    '<Word id="{id}"><Coords points="{x},{y} {r},{y} {r},{b} {x},{b}"/><TextEquiv><Unicode>{text}'
    "</Unicode></TextEquiv></Word>"
)
PAGE = (
    '<?xml version="1.0"?><PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/'
    '2019-07-15"><Page imageFilename="img/p.png" imageWidth="300" imageHeight="200"><TextRegion '
    'id="r"><Coords points="0,0 300,0 300,200 0,200"/><TextLine id="l"><Coords points="0,0 300,0 '
    '300,50 0,50"/>{words}</TextLine></TextRegion></Page></PcGts>'
)
ALTO = (
    '<?xml version="1.0"?><alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description>'
    "<sourceImageInformation><fileName>img/p.png</fileName></sourceImageInformation></Description>"
    '<Layout><Page ID="p"><PrintSpace><TextBlock ID="b"><TextLine><String ID="s" CONTENT="dog" '
    'HPOS="10" VPOS="60" WIDTH="40" HEIGHT="15"/></TextLine></TextBlock></PrintSpace></Page>'
    "</Layout></alto>"
)


def page_of(*words: str) -> str:
    boxes = [
        WORD.format(id=f"w{at}", x=10 + 50 * at, y=20, r=50 + 50 * at, b=40, text=text)
        for at, text in enumerate(words)
    ]
    return PAGE.format(words="".join(boxes))


@pytest.fixture
def systems(tmp_path: Path) -> Path:
    contents = {"a": page_of("cat", "the", "cat,"), "b": page_of("The", "cat"), "c": ALTO}
    for name, content in contents.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.xml").write_text(content)
    return tmp_path


@pytest.mark.parametrize("method", ["bag_of_words", "alignment"])
def test_the_kth_word_is_the_kth_box(systems: Path, method: str) -> None:
    table = read_votes([systems / name for name in "abc"], method=method)  # type: ignore[arg-type]
    places = [place_of_item(table, item) for item in range(len(table))]
    found = sorted(
        (text, place.box[0]) for text, place in zip(table.texts, places, strict=True) if place
    )
    first_the = 60 if method == "bag_of_words" or found[-1][1] == 60 else 10
    assert found == [("cat", 10), ("cat", 110), ("dog", 10), ("the", first_the)]
    dog = places[table.texts.index("dog")]
    assert dog is not None and dog.box == (10, 60, 50, 75) and dog.image is None
    (systems / "img").mkdir()
    Image.fromarray(np.zeros((200, 300), np.uint8)).save(systems / "img" / "p.png")
    with_image = place_of_item(table, table.texts.index("dog"))
    assert with_image is not None and with_image.image == systems / "img" / "p.png"


def test_a_file_that_is_gone_says_nothing(systems: Path) -> None:
    table = read_votes([systems / name for name in "abc"])
    (systems / "c" / "p.xml").unlink()
    assert place_of_item(table, table.texts.index("dog")) is None
