"""The same three detections in every form that detectors write, beside their truth."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Detection(NamedTuple):
    """A detection on a page of this size: left, top, width and height in px."""

    page: str
    page_width: int
    page_height: int
    name: str
    number: int
    score: float
    x: int
    y: int
    w: int
    h: int

    @property
    def corners(self) -> list[int]:
        return [self.x, self.y, self.x + self.w, self.y + self.h]

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2

    @property
    def shares(self) -> list[float]:
        """Centre and size."""
        x, y = (self.x + self.w / 2) / self.page_width, (self.y + self.h / 2) / self.page_height
        return [x, y, self.w / self.page_width, self.h / self.page_height]

    def outline(self, names: Sequence[str] = "abcd") -> list[float]:
        """Corners in shares, x and y in turn."""
        left, top, right, bottom = self.corners
        points = {"a": (left, top), "b": (right, top), "c": (right, bottom), "d": (left, bottom),
                  "m": ((left + right) / 2, top)}  # fmt: skip
        return [
            value
            for name in names
            for value in (points[name][0] / self.page_width, points[name][1] / self.page_height)
        ]


DETECTIONS = (
    Detection("plan", 400, 300, "sofa", 0, 0.9, 120, 80, 140, 90),
    Detection("plan", 400, 300, "chair", 1, 0.8, 300, 200, 40, 40),
    Detection("b", 200, 100, "sofa", 0, 0.7, 10, 20, 30, 50),
)
PAGES = ("plan", "b")
RECORDS = [
    {"image": d.page, "label": d.name, "score": d.score,
     **dict(zip(("xmin", "ymin", "xmax", "ymax"), d.corners, strict=True))}
    for d in DETECTIONS
]  # fmt: skip


def write_truth(folder: Path) -> Path:
    """COCO with the boxes of the detections; its ids are not the numbers of the classes."""
    path = folder / "truth.json"
    path.write_text(json.dumps({
        "images": [{"id": 1, "file_name": "plan.png", "width": 400, "height": 300},
                   {"id": 2, "file_name": "b.png", "width": 200, "height": 100}],
        "categories": [{"id": 1, "name": "sofa"}, {"id": 2, "name": "chair"}],
        "annotations": [
            {"id": at, "image_id": 1 + PAGES.index(d.page), "category_id": d.number + 1,
             "bbox": [d.x, d.y, d.w, d.h]}
            for at, d in enumerate(DETECTIONS, 1)
        ],
    }))  # fmt: skip
    return path


def table(head: str, row: Callable[[Detection], Sequence[Any]], mark: str = ",") -> str:
    """A table with this head."""
    lines = [head.replace(",", mark)]
    return "\n".join([*lines, *(mark.join(map(str, row(d))) for d in DETECTIONS), ""])


def by_page(line: Callable[[Detection], str], ending: str = ".txt") -> dict[str, str]:
    """A file for each page."""
    return {f"{page}{ending}": "".join(line(d) for d in DETECTIONS if d.page == page)
            for page in PAGES}  # fmt: skip


def yolo(line: Callable[[Detection], Sequence[float]], names: str) -> dict[str, str]:
    files = by_page(lambda d: " ".join(map(str, [d.number, *line(d), d.score])) + "\n")
    return {f"labels/{name}": text for name, text in files.items()} | (
        {"data.yaml": names} if names else {}
    )


def of_page(make: Callable[[list[Detection]], Any]) -> list[Any]:
    return [make([d for d in DETECTIONS if d.page == page]) for page in PAGES]


def _voc(d: Detection) -> str:
    box = "".join(f"<{name}>{value}</{name}>" for name, value in
                  zip(("xmin", "ymin", "xmax", "ymax"), d.corners, strict=True))  # fmt: skip
    score = f"<confidence>{d.score}</confidence>"
    return f"<object><name>{d.name}</name><bndbox>{box}</bndbox>{score}</object>"


def _labelme(found: list[Detection]) -> str:
    shapes = [{"label": d.name, "points": [d.corners[2:], d.corners[:2]], "score": d.score,
               "shape_type": "rectangle", "flags": {}} for d in found]  # fmt: skip
    image = {"imagePath": f"{found[0].page}.png", "imageHeight": 9, "imageWidth": 9}
    return json.dumps({"version": "5", "flags": {}, "shapes": shapes, "imageData": None, **image})


def _together(found: list[Detection], number: int) -> dict[str, list[Any]]:
    return {"boxes": [d.corners for d in found], "scores": [d.score for d in found],
            "labels": [d.number + number for d in found]}  # fmt: skip


def _darknet(found: list[Detection]) -> str:
    head = f"Enter Image Path: data/{found[0].page}.png: Predicted in 20.1 milli-seconds.\n"
    return head + "".join(
        f"{d.name}: {d.score * 100:.0f}%\t(left_x:  {d.x}   top_y:   {d.y}   width:   {d.w}   "
        f"height:   {d.h})\n"
        for d in found
    )


def _darknet_json(found: list[Detection]) -> dict[str, Any]:
    keys = ("center_x", "center_y", "width", "height")
    return {"frame_id": 1, "filename": f"/data/{found[0].page}.png", "objects": [
        {"class_id": d.number, "name": d.name, "confidence": d.score,
         "relative_coordinates": dict(zip(keys, d.shares, strict=True))} for d in found
    ]}  # fmt: skip


def _roboflow(found: list[Detection]) -> dict[str, Any]:
    return {"image": f"{found[0].page}.png", "predictions": [
        {"x": d.x + d.w / 2, "y": d.y + d.h / 2, "width": d.w, "height": d.h, "class": d.name,
         "confidence": d.score, "class_id": d.number} for d in found
    ]}  # fmt: skip


_XYXY = table("image,class,confidence,xmin,ymin,xmax,ymax",
              lambda d: (f"{d.page}.png", d.name, d.score, *d.corners))  # fmt: skip
_NAMES = "names: [sofa, chair]\n"
Files = dict[str, str | bytes]
FORMS: dict[str, str | bytes | dict[str, str] | dict[str, Any]] = {
    "yolo": yolo(lambda d: d.shares, _NAMES),
    "yolo without names": yolo(lambda d: d.shares, ""),
    "yolo segments": yolo(lambda d: d.outline("ambcd"), _NAMES),
    "yolo turned boxes": yolo(lambda d: d.outline(), _NAMES),
    "yolo with the score first": {"data.yaml": _NAMES} | by_page(
        lambda d: " ".join(map(str, [d.number, d.score, *d.shares])) + "\n"),
    "open images.csv": table(
        "ImageID,LabelName,Confidence,XMin,XMax,YMin,YMax",
        lambda d: (d.page, d.name, d.score, *(d.corners[at] / (d.page_height if at % 2 else
                   d.page_width) for at in (0, 2, 1, 3)))),
    "one text a class.d": {f"{name}.txt": "".join(
        f"{d.page}.png {d.score} {' '.join(map(str, d.corners))}\n" for d in DETECTIONS
        if d.name == name) for name in ("sofa", "chair")},
    "megadetector.json": json.dumps({"images": [
        {"file": f"{found[0].page}.png", "detections": [
            {"category": str(d.number + 1), "conf": d.score, "bbox": [
                d.x / d.page_width, d.y / d.page_height, *d.shares[2:]]} for d in found]}
        for found in of_page(list)]}),
    "one text a page.d": by_page(lambda d: f"{d.name} {d.score} {' '.join(map(str, d.corners))}\n"),
    "comp3.d": {f"comp3_det_test_{name}.txt": "".join(
        f"{d.page} {d.score} {' '.join(map(str, d.corners))}\n" for d in DETECTIONS
        if d.name == name) for name in ("sofa", "chair")},
    "darknet.txt": "".join(of_page(_darknet)),
    "darknet.json": json.dumps(of_page(_darknet_json)),
    "voc.d": {f"{page}.xml": f"<annotation><filename>{page}.png</filename>{text}</annotation>"
              for page, text in ((name[:-4], text) for name, text in by_page(_voc).items())},
    "xyxy.csv": _XYXY,
    "packed.csv.gz": gzip.compress(_XYXY.encode()),
    "xywh.csv": table("query,page,score,x,y,width,height",
                      lambda d: (d.name, d.page, d.score, d.x, d.y, d.w, d.h)),
    "cxcywh.csv": table("file,label,prob,x_center,y_center,w,h",
                        lambda d: (d.page, d.name, d.score, *d.centre, d.w, d.h)),
    "shares.csv": table("image_id,name,conf,cx,cy,w,h",
                        lambda d: (d.page, d.name, d.score, *d.shares)),
    "tabs.tsv": table("filename,category,score,left,top,width,height",
                      lambda d: (d.page, d.name, d.score, d.x, d.y, d.w, d.h), "\t"),
    "excel.csv": table("Image Name,Class,Confidence,X1,Y1,X2,Y2",
                       lambda d: (d.page, d.name, str(d.score).replace(".", ","), *d.corners), ";"),
    "numbers of classes.csv": table("image,class_id,score,x1,y1,x2,y2",
                                    lambda d: (d.page, d.number + 1, d.score, *d.corners)),
    "one column.csv": table("image,label,score,bbox",
                            lambda d: (d.page, d.name, d.score, f'"{d.corners}"')),
    "yolov5.d": by_page(
        lambda d: ",".join(map(str, (*d.corners, d.score, d.number, d.name))) + "\n", ".csv"),
    "records.json": json.dumps(RECORDS),
    "lines.jsonl": "".join(json.dumps(record) + "\n" for record in RECORDS),
    "columns.json": json.dumps({name: {str(at): record[name] for at, record in enumerate(RECORDS)}
                                for name in RECORDS[0]}),
    "split.json": json.dumps({"columns": list(RECORDS[0]), "index": [0, 1, 2],
                              "data": [list(record.values()) for record in RECORDS]}),
    "coco.json": json.dumps([
        {"image_id": 1 + PAGES.index(d.page), "category_id": d.number + 1, "score": d.score,
         "bbox": [d.x, d.y, d.w, d.h]} for d in DETECTIONS]),
    "coco by stem.json": json.dumps([
        {"image_id": d.page, "category_id": d.number + 1, "score": d.score,
         "bbox": [d.x, d.y, d.w, d.h]} for d in DETECTIONS]),
    "coco by names.json": json.dumps([
        {"file_name": f"{d.page}.png", "category_name": d.name, "score": d.score,
         "bbox": [d.x, d.y, d.w, d.h]} for d in DETECTIONS]),
    "torchvision.json": json.dumps([{"file_name": f"{found[0].page}.png", **_together(found, 1)}
                                    for found in of_page(list)]),
    "torchvision by page.json": json.dumps({f"{found[0].page}.png": _together(found, 1)
                                            for found in of_page(list)}),
    "detectron.json": json.dumps([
        {"image_id": 1 + PAGES.index(found[0].page), "instances": [
            {"category_id": d.number + 1, "bbox": [d.x, d.y, d.w, d.h], "score": d.score}
            for d in found]} for found in of_page(list)]),
    "mmdet.d": {f"{found[0].page}.json": json.dumps(_together(found, 0)).replace("boxes", "bboxes")
                for found in of_page(list)},
    "roboflow.json": json.dumps(of_page(_roboflow)),
    "ultralytics.json": json.dumps([
        {"image": d.page, "name": d.name, "class": d.number, "confidence": d.score,
         "box": dict(zip(("x1", "y1", "x2", "y2"), d.corners, strict=True))} for d in DETECTIONS]),
    "labelme.d": {f"{page}.json": text
                  for page, text in zip(PAGES, of_page(_labelme), strict=True)},
    "run.trec": "".join(f"{d.name} Q0 {d.page}:{d.x},{d.y},{d.w},{d.h} {at} {d.score} mine\n"
                        for at, d in enumerate(DETECTIONS, 1)),
}  # fmt: skip
HEAD = "xmin,ymin,xmax,ymax,confidence,class,name\n"


def write_form(folder: Path, name: str) -> Path:
    """Write the files of a form; gives the file or folder that is the run."""
    content, path = FORMS[name], folder / name
    if isinstance(content, dict):
        for inner, text in content.items():
            file = path / inner
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text((HEAD if name == "yolov5.d" else "") + text)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content)
    return path
