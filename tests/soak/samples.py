"""A small valid file of everything that spotlab reads, for fuzzing."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image, ImageDraw

from spotlab.editing.selection import Clipboard
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.collection.label_file import read_labels, write_labels
from spotlab.formats.judgement_trees import read_judgements as read_categories
from spotlab.formats.judgement_trees import read_tree
from spotlab.formats.lists.kept_lines import read_judgements
from spotlab.formats.lists.rankings import read_answers as read_rankings
from spotlab.formats.lists.rankings import read_ideal
from spotlab.formats.lists.reading import read_lists
from spotlab.formats.lists.score_file import read_scores
from spotlab.formats.lists.trec import read_qrels
from spotlab.formats.runs.parquet_run import write_parquet
from spotlab.formats.runs.reading import read_run
from spotlab.formats.truth import page_xml
from spotlab.formats.votes.answers import read_answers
from spotlab.formats.votes.reading import read_votes
from spotlab.lab.pipelines.entities.entity_finder import read_gazetteer
from spotlab.lab.reproduce.words.digits import read_digits
from spotlab.model import Label, LabelSet, Page, Primitive, Region, Truth
from spotlab.progress import silent
from spotlab.uncertain_truth.judgements import CategoryTree
from tests.formats.detection_files import FORMS
from tests.formats.other_formats import MASKS, OTHERS
from tests.soak.more_samples import add_more
from tests.soak.sample_readers import (
    MOMENT,
    Sample,
    paste,
    read_kept_settings,
    read_picture,
    read_runs,
    read_texts,
    read_truth,
)

DATA = Path(__file__).resolve().parents[1] / "data"
ALTO = """<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description><MeasurementUnit>pixel
</MeasurementUnit><sourceImageInformation><fileName>plan.png</fileName></sourceImageInformation>
</Description><Layout><Page ID="p" WIDTH="80" HEIGHT="60"><PrintSpace><TextBlock ID="b">
<TextLine ID="l"><String ID="s" CONTENT="word" HPOS="1" VPOS="2" WIDTH="30" HEIGHT="9"/>
<String ID="t" CONTENT="more" HPOS="40" VPOS="2" WIDTH="30" HEIGHT="9"/></TextLine></TextBlock>
</PrintSpace></Page></Layout></alto>"""
LABELME_WEB = """<annotation><filename>plan.png</filename><folder>plans</folder><imagesize>
<nrows>60</nrows><ncols>80</ncols></imagesize><object><name>sofa</name><deleted>0</deleted><id>0</id><polygon>
<username>anna</username><pt><x>1</x><y>1</y></pt><pt><x>20</x><y>1</y></pt>
<pt><x>20</x><y>9</y></pt></polygon></object></annotation>"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60">
<polygon class="Wall" points="1,1 20,1 20,9 "/><polygon class="Door" points="30,1 50,1 50,9"/>
<rect x="1" y="1" width="3" height="3"/></svg>"""
BPMN = """<?xml version="1.0"?>
<!-- {"backgroundSize":40} -->
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:di="d" xmlns:dc="c">
<process id="p"><task id="t" name="a task"/></process><di:BPMNDiagram><di:BPMNPlane>
<di:BPMNShape bpmnElement="t"><dc:Bounds x="1" y="2" width="10" height="5"/></di:BPMNShape>
</di:BPMNPlane></di:BPMNDiagram></definitions>"""
CSV = {
    "list.csv": "query,page,x,y,width,height,score,relevant,text,list\n"
    "q,plan,0,0,5,5,0.5,1,word,one\nq,plan,9,0,5,5,-0.25,0,more,one\n"
    "q,plan,19,0,5,5,0.125,,more,two\nr,other,0,0,5,5,2.5,1,,one\n",
    "run.trec": "1 Q0 d1 1 9.5 mine\n1 Q0 d2 2 8.25 mine\n2 Q0 d1 1 3 mine\n",
    "qrels.txt": "1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n",
    "votes.csv": "item,one,two,truth,page\n#engine,a,b,,\nx,1,0,1,p\ny,0.5,,0,p\nz,1,1,,p\n",
    "long.csv": "item,system,vote\nx,one,1\nx,two,0\ny,one,0\ny,two,1\n",
    "prodigy.jsonl": '{"text": "x", "answer": "accept", "_annotator_id": "a"}\n'
    '{"text": "y", "answer": "reject", "_annotator_id": "a"}\n',
    "answers.csv": "item,relevant,inclusion,round\nx,1,0.5,1\ny,0,0.25,1\nz,,1,2\n",
    "tree.csv": "category,parent\nroot,\nfurniture,root\nchair,furniture\nbed,furniture\n",
    "categories.csv": "subject,item,category\nann,x,chair\nben,x,bed\nann,y,root\n",
    "ranked.csv": "system,query,rank,item\na,q,1,x\na,q,2,y\nb,q,1,y\n",
    "ideal.csv": "subject,query,rank,item,relevance\nann,q,1,x,1\nann,q,2,y,0.5\n",
    "judgements.csv": "query,page,left,top,right,bottom,judgement\nq,plan,0,0,5,5,relevant\n"
    "q,plan,9,0,14,5,irrelevant\n",
    "names.txt": "Paris\tplace\nGeorge Washington\tperson\n# nobody\nRhine\n",
    "plain.txt": "some words\nof a page\n",
}


def samples(folder: Path) -> dict[str, Sample]:
    """One of each kind; ``folder`` is for making them."""
    folder = folder / "made"  # some formats have its name in them
    folder.mkdir()
    picture = _pictures(folder)
    image = picture["plan.png"]
    truth = _truth(folder)
    found: dict[str, Sample] = {}

    def add(kind: str, name: str, content: bytes | str, read: Callable[[Path], object]) -> None:
        data = content.encode() if isinstance(content, str) else content
        beside = {} if name == "plan.png" else {"plan.png": image}
        found[kind] = Sample(data, name, read, beside, mends=kind == "settings")

    for name, content in (("alto", ALTO), ("cvc-fp", SVG), ("bpmn", BPMN),
                          ("labelme-web", LABELME_WEB)):  # fmt: skip
        add(name, f"plan.{'bpmn' if name == 'bpmn' else 'svg' if name == 'cvc-fp' else 'xml'}",
            content, read_truth)  # fmt: skip
    for name, (file, text) in {**OTHERS, "masks": ("masks.json", MASKS)}.items():
        add(name, file, text, read_truth)
    for name in ("rich", "old"):
        add(f"page {name}", "plan.xml", (DATA / f"{name}.xml").read_bytes(), read_truth)
    add("page", "plan.xml", page_xml.serialise(truth, MOMENT), read_truth)
    for name, suffix in (("coco", "json"), ("labelme", "json"), ("voc", "xml")):
        target = folder / name / f"plan.{suffix}"
        target.parent.mkdir()
        write = known_formats()[name].write
        assert write is not None
        write([truth], target, silent)
        add(name, target.name, target.read_bytes(), read_truth)
    for name, content in picture.items():
        add(f"picture {name}", name, content, read_picture)
    _add_runs(folder, truth, add)
    for name, content in CSV.items():
        add(name, name, content, _readers()[name])
    add("scores", "scores.npz", _scores(), read_scores)
    add("digits", "digits.npz", _digits(), read_digits)
    write_labels(folder, truth.labels)
    labels = (folder / "spotlab.json").read_bytes()
    add("labels", "spotlab.json", labels, lambda path: read_labels(path.parent))
    add("clipboard", "clipboard.json", Clipboard(truth.regions, (80, 60)).text(), paste)
    settings = {"theme": "dark", "recent": ["a", "b"], "started": True, "keys": {"a": ["b"]}}
    add("settings", "settings.json", json.dumps(settings), read_kept_settings)
    add_more(folder, truth, found)
    shutil.rmtree(folder, ignore_errors=True)
    return found


def _truth(folder: Path) -> Truth:
    regions = (
        Region(((1, 1), (20, 1), (20, 9)), "sofa", "r1", uncertain=True, comment="c", text="t"),
        Region(((2, 3), (12, 3), (12, 8), (2, 8)), "bed", "r2", primitive=Primitive.BOX),
    )
    labels = LabelSet((Label("sofa", "#102030", "1"), Label("bed", "#405060", "2")))
    return Truth(Page(folder / "plan.png", 80, 60), regions, labels)


def _pictures(folder: Path) -> dict[str, bytes]:
    picture = Image.new("RGB", (80, 60), "white")
    ImageDraw.Draw(picture).rectangle((10, 10, 40, 30), outline="black", fill="navy")
    made = {}
    for name, mode, given in (
        ("plan.png", "L", {}), ("colour.png", "RGB", {}), ("palette.png", "P", {}),
        ("bilevel.png", "1", {}), ("page.jpg", "RGB", {}), ("page.webp", "RGB", {}),
        ("page.bmp", "RGB", {}), ("grey.tif", "L", {"compression": "tiff_lzw"}),
        ("bilevel.tif", "1", {"compression": "group4"}),
        ("several.tif", "L", {"save_all": True, "append_images": [picture.convert("L")]}),
        ("page.pdf", "RGB", {}),
    ):  # fmt: skip
        content = io.BytesIO()
        kind = {"jpg": "JPEG", "tif": "TIFF"}.get(name[-3:], name.rpartition(".")[2].upper())
        options: dict[str, Any] = dict(given)
        picture.convert(mode).save(content, kind, **options)
        made[name] = content.getvalue()
    (folder / "plan.png").write_bytes(made["plan.png"])
    return made


def _add_runs(folder: Path, truth: Truth, add: Callable[..., None]) -> None:
    rows = "query,page,rank,score,points,label\n" + "".join(
        f'sofa,plan,{rank},{score},"{10 + rank},10 40,10 40,{30 + rank}",x\n'
        for rank, score in ((1, 0.9), (2, 0.5), (3, -1))
    )
    (folder / "run.csv").write_text(rows)
    run = read_run(folder / "run.csv").run
    write_parquet(run, folder / "run.parquet")
    lists = pa.table({
        "query": pa.array(["q", "r"]).dictionary_encode(), "page": ["plan", "plan"],
        "score": [0.5, 0.25], "points": [[0.0, 0, 9, 0, 9, 9], [1.0, 1, 9, 1, 9, 9]],
    })  # fmt: skip
    pq.write_table(lists, folder / "lists.parquet")
    results = [
        {"image_id": "plan", "category_id": "sofa", "bbox": [1, 1, 20, 9], "score": 0.5},
        {"image_id": "plan", "category_id": "bed", "score": 0.25,
         "segmentation": [[1, 1, 20, 1, 20, 9]]},
    ]  # fmt: skip
    scored = page_xml.serialise(truth, MOMENT).replace(b"<Coords", b'<Coords conf="0.5"')
    add("run csv", "run.csv", rows, read_runs)
    add("run parquet", "run.parquet", (folder / "run.parquet").read_bytes(), read_runs)
    add("run lists", "run.parquet", (folder / "lists.parquet").read_bytes(), read_runs)
    add("run coco", "run.json", json.dumps(results), read_runs)
    add("run page", "plan.xml", scored, read_runs)
    add("run texts", "plan.txt", "sofa .9 10 10 60 60\nbed .5 1 1 9 9\n", read_runs)
    add("run voc", "plan.xml", FORMS["voc.d"]["plan.xml"], read_runs)
    add("run records", "plan.json", FORMS["labelme.d"]["plan.json"], read_runs)


def _scores() -> bytes:
    content = io.BytesIO()
    np.savez(content, scores=np.eye(3), items=np.array(["a", "b", "c"]))
    return content.getvalue()


def _digits() -> bytes:
    content = io.BytesIO()
    np.savez_compressed(content, images=np.zeros((4, 5, 5), np.uint8), labels=np.arange(4))
    return content.getvalue()


def _readers() -> dict[str, Callable[[Path], object]]:
    tree = CategoryTree.of(
        [("root", ""), ("furniture", "root"), ("chair", "furniture"), ("bed", "furniture")]
    )
    return {
        "list.csv": read_lists,
        "run.trec": read_lists,
        "qrels.txt": read_qrels,
        "votes.csv": read_votes,
        "long.csv": read_votes,
        "prodigy.jsonl": read_votes,
        "answers.csv": read_answers,
        "tree.csv": read_tree,
        "categories.csv": lambda path: read_categories(path, tree),
        "ranked.csv": read_rankings,
        "ideal.csv": read_ideal,
        "judgements.csv": read_judgements,
        "names.txt": read_gazetteer,
        "plain.txt": read_texts,
    }
