"""Pictures of query models in reports: the model, with a little of its page around it."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from spotlab.model import Page, QueryModel
from spotlab.report.images import MODEL_SIDE, model_crops


def test_a_little_of_the_page_is_shown_on_every_side(tmp_path: Path) -> None:
    pixels = np.full((200, 200), 255, np.uint8)
    pixels[60:100, 60:100] = 0
    Image.fromarray(pixels).save(tmp_path / "page.png")
    model = QueryModel("box", "page", ((60, 60), (100, 60), (100, 100), (60, 100)))
    [crop] = model_crops({"page": Page(tmp_path / "page.png", 200, 200)}, {"page": [model]})
    assert crop.size == (MODEL_SIDE, MODEL_SIDE) and crop.png is not None
    picture = np.asarray(Image.open(BytesIO(crop.png)).convert("L"))
    edges = picture[2], picture[-3], picture[:, 2], picture[:, -3]
    assert min(edge.min() for edge in edges) > 200
    assert picture[MODEL_SIDE // 2, MODEL_SIDE // 2] < 50
