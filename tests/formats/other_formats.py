"""A short file of each format of OCR engines, data sets of text, and smaller annotation tools.

All are about ``plan.png`` of 80 × 60 px, and have the word "orders", or a region "sofa", whose box
is (1, 2, 20, 9).
"""

from __future__ import annotations

import json

BOX = (1, 2, 20, 9)
_CORNERS = [[1, 2], [20, 2], [20, 9], [1, 9]]
_TSV = ("level", "page_num", "block_num", "par_num", "line_num", "word_num", "left", "top", "width",
        "height", "conf", "text")  # fmt: skip
_TSV_ROWS = ((1, 1, 0, 0, 0, 0, 0, 0, 80, 60, -1, ""), (2, 1, 1, 0, 0, 0, 1, 2, 19, 7, -1, ""),
             (3, 1, 1, 1, 0, 0, 1, 2, 19, 7, -1, ""), (4, 1, 1, 1, 1, 0, 1, 2, 19, 7, -1, ""),
             (5, 1, 1, 1, 1, 1, 1, 2, 19, 7, 96.5, "orders"))  # fmt: skip
_TSV_TEXT = "\n".join("\t".join(map(str, row)) for row in (_TSV, *_TSV_ROWS))
_VIA_REGION = {"shape_attributes": {"name": "rect", "x": 1, "y": 2, "width": 19, "height": 7},
               "region_attributes": {"label": "sofa"}}  # fmt: skip
_VIA = {
    "_via_settings": {"ui": {}},
    "_via_img_metadata": {"plan.png123": {
        "filename": "plan.png", "size": 123, "regions": [_VIA_REGION], "file_attributes": {}}},
    "_via_attributes": {"file": {}, "region": {
        "label": {"type": "dropdown", "options": {"bed": "", "sofa": ""}}}},
}  # fmt: skip
_QUOTED = [json.dumps(value).replace('"', '""') for value in _VIA_REGION.values()]
_GEOJSON = {"type": "FeatureCollection", "features": [{
    "type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[*_CORNERS, [1, 2]]]},
    "properties": {"objectType": "annotation",
                   "classification": {"name": "sofa", "color": [200, 0, 0]}}}]}  # fmt: skip
_FUNSD = {"form": [{
    "box": BOX, "text": "orders", "label": "question", "linking": [[0, 1]], "id": 0,
    "words": [{"box": BOX, "text": "orders"}]}]}  # fmt: skip

# a mask whose pixels are those of the picture itself
MASKS = json.dumps({"spotlab": "masks", "classes": [str(number) for number in range(254)],
                    "masks": [{"mask": "plan.png", "image": "plan.png"}]})  # fmt: skip

OTHERS = {
    "icdar": ("plan.txt", "1,2,20,2,20,9,1,9,orders\n"),
    "paddleocr": ("Label.txt", "plan.png\t" + json.dumps(
        [{"transcription": "orders", "points": _CORNERS, "difficult": False}]) + "\n"),
    "tesseract-tsv": ("plan.tsv", _TSV_TEXT),
    "tesseract-box": ("plan.box", "o 1 51 4 58 0\nr 5 51 20 58 0\n"),
    "funsd": ("plan.json", json.dumps(_FUNSD)),
    "iam": ("plan.txt", "#--- words.txt ---#\na01-000u-00-00 ok 154 1 2 19 7 AT orders\n"),
    "iam-form": ("plan.xml", """<form id="plan" width="80" height="60"><machine-printed-part><line
text="orders"/></machine-printed-part><handwritten-part><line text="orders"><word id="w" tag="AT"
text="orders"><cmp x="1" y="2" width="9" height="3"/><cmp x="11" y="4" width="9" height="5"/></word>
</line></handwritten-part></form>"""),
    "gtp": ("plan.gtp", "1 2 20 9 orders\n"),
    "word-locations": ("gw.xml", """<?xml version="1.0" ?><wordLocations dataset="gw">
<spot h="7" image="plan.png" w="19" word="orders" x="1" y="2"/></wordLocations>"""),
    "via": ("via.json", json.dumps(_VIA)),
    "via-csv": ("via.csv", "filename,file_size,file_attributes,region_count,region_id,"
                f'region_shape_attributes,region_attributes\nplan.png,123,"{{}}",1,0,"{_QUOTED[0]}",'
                f'"{_QUOTED[1]}"\n'),
    "geojson": ("plan.geojson", json.dumps(_GEOJSON)),
    "sesyd": ("plan.xml", """<?xml version="1.0"?><set><o>
<symbol label="sofa" direction="90" x0="1" y0="2" x1="20" y1="9"/></o></set>"""),
}  # fmt: skip
