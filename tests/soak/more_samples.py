"""Samples of what other programs write, of tables of labels, networks and spotlab's own state."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from PIL import Image

from spotlab.editing.collection_step import rename_label, survey_pages
from spotlab.editing.journal import read_journal
from spotlab.editing.journal_file import journal_path
from spotlab.editing.journal_lines import Lease, header_line, signing_key
from spotlab.editing.session import EditingSession
from spotlab.editing.unfinished import (
    find_unfinished,
    read_unfinished,
    remove_unfinished,
    write_unfinished,
)
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.collection.folder import scan
from spotlab.formats.collection.label_file import read_ink
from spotlab.formats.collection.label_table import read_label_table
from spotlab.formats.collection.truth_parts import read_truth_part, truth_bytes
from spotlab.formats.lists.kept_lines import read_queries
from spotlab.formats.runs.coco_results import read_naming
from spotlab.formats.truth import page_xml
from spotlab.formats.votes.reading import read_votes
from spotlab.gui.workspace import read_view
from spotlab.model import Label, LabelSet, Page, Region, Truth
from spotlab.progress import silent
from spotlab.resources import LETTERS, needed_model, sample_collection
from spotlab.spotting.symbols.embedding import network as symbol_network
from spotlab.spotting.words.embedding import network as word_network
from spotlab.spotting.words.readings import read_lexicon
from spotlab.studies.annotators.decisions import read_decisions
from spotlab.studies.tally.subset import read_subset
from spotlab.studies.tally.truth import read_truths
from spotlab.studies.words.word_truth import read_words
from tests.formats.foreign_files import CUBICASA, DOTA, FLOORPLANCAD, HOCR, PAGE, workspace
from tests.soak.sample_readers import MOMENT, Sample, read_runs, read_truth

Add = Callable[..., None]
LEASE = Lease("elsewhere", "", 1, "2026-01-01T00:00:00Z")  # of a program that was killed
# reading them is a part of recovering: a damaged one is mended, or kept under another name
MENDED = ("decisions", "journal", "unfinished step")
TABLE = "name,colour,digit,description\nsofa,#102030,1,a seat\nbed,#405060,2,\n"
QUERIES = (
    "text,page,left,top,right,bottom,state\norders,plan,1,2,30,11,listed\n"
    ",plan,40,2,70,11,listed\n,plan,42,2,70,12,example\nletter,,,,,,listed\n"
)
RUN = 'query,page,rank,score,points\nsofa,plan,1,0.5,"10 10,40 10,40 30"\n'
DECISIONS = (
    '{"adjudication": 1, "first": {"name": "anna", "path": "../a"}, '
    '"second": {"name": "bob", "path": "../b"}}\n'
    '{"page": "plan", "pair": "d0c", "verdict": "taken", "author": "Cleo", '
    '"time": "2026-01-01T00:00:00+00:00", "chosen": null}\n'
    '{"page": "plan", "pair": "d0c", "verdict": "open", "author": "Cleo", '
    '"time": "2026-01-01T00:00:00+00:00"}\n'
)
VIEW = {
    "format": "spotlab view", "version": 1, "pages": ["."], "workspace": "annotate",
    "page": "plan", "place": {"x": 1, "y": 2, "scale": 1.5},
    "filter": {"text": "label:sofa", "states": ["edited"], "only": True},
    "workspaces": {"inspect": {"runs": ["run.csv"]}},
}  # fmt: skip


def add_more(folder: Path, truth: Truth, known: dict[str, Sample]) -> None:
    """Add the samples to those that are known; ``folder`` is for making them."""
    image = (folder / "plan.png").read_bytes()

    def add(
        kind: str,
        name: str,
        content: bytes | str,
        read: Callable[[Path], object],
        beside: Mapping[str, bytes] | None = None,
    ) -> None:
        data = content.encode() if isinstance(content, str) else content
        beside = {"plan.png": image} if beside is None else beside
        known[kind] = Sample(data, name, read, beside, mends=kind in MENDED)

    _add_exchanged(folder, truth, add)
    _add_yolo(folder, truth, add, image)
    _add_beside_runs(add)
    for kind, name, content, read in (
        ("label table", "labels.csv", TABLE, read_label_table),
        ("label table json", "labels.json", '[{"name": "sofa", "color": "#102030"}, "bed"]',
         read_label_table),
        ("label table text", "labels.txt", "sofa\nbed\n", read_label_table),
        ("queries", "queries.csv", QUERIES, read_queries),
        ("subset", "subset.txt", "# some\nplan\nother\n", read_subset),
        ("lexicon", "words.txt", "the 90\norders 12\nletter\n", read_lexicon),
        ("decisions", "adjudication.jsonl", DECISIONS, lambda path: read_decisions(path.parent)),
        ("view", "view.spotlab", json.dumps(VIEW), read_view),
    ):  # fmt: skip
        add(kind, name, content, read, {})
    ink = {"labels": [], "ink": {"method": "sauvola", "window": 25, "k": 0.2}}
    add("ink", "spotlab.json", json.dumps(ink), lambda path: (read_ink(path.parent), 1))
    add("truth part", "part.parquet", truth_bytes([truth]),
        lambda path: read_truth_part(path.read_bytes(), str(path)), {})  # fmt: skip
    _add_own_state(folder, add)
    _add_votes(truth, add)
    for kind, module in (("symbols", symbol_network), ("words", word_network)):
        network = needed_model(f"{kind}.onnx").read_bytes()
        add(f"network {kind}", f"{kind}.onnx", network, module.read_network, {})


def _add_exchanged(folder: Path, truth: Truth, add: Add) -> None:
    for name, suffix in (("cvat", "xml"), ("label-studio", "json")):
        write = known_formats()[name].write
        assert write is not None
        target = folder / name / f"plan.{suffix}"
        target.parent.mkdir()
        write([truth], target, silent)
        add(name, target.name, target.read_bytes(), read_truth)
    add("hocr", "plan.hocr", HOCR, read_truth)
    add("dota", "plan.txt", DOTA, read_truth)
    add("floorplancad", "plan.svg", FLOORPLANCAD, read_truth)
    large = io.BytesIO()
    Image.new("1", (1400, 500), 1).save(large, "PNG")
    add("cubicasa5k", "model.svg", CUBICASA, read_truth, {"F1_scaled.png": large.getvalue()})
    (folder / "mets").mkdir()
    pages = {f"OCR-D-GT-PAGE/{number}.xml": PAGE.format(number, "caption").encode()
             for number in (1, 2)}  # fmt: skip
    add("mets", "mets.xml", workspace(folder / "mets", "GT").read_bytes(), read_truth, pages)


def _add_yolo(folder: Path, truth: Truth, add: Add, image: bytes) -> None:
    for name in ("yolo", "yolo-seg", "yolo-obb"):
        write = known_formats()[name].write
        assert write is not None
        target = folder / name
        target.mkdir()
        write([truth], target, silent)
        made = {str(file.relative_to(target)): file.read_bytes()
                for file in sorted(target.rglob("*")) if file.is_file()}  # fmt: skip
        [labels] = [file for file in made if file.endswith(".txt")]
        made["images/plan.png"] = image
        for kind, path in (("yaml", "data.yaml"), ("lines", labels)):
            beside = {file: content for file, content in made.items() if file != path}
            add(f"{name} {kind}", path, made[path], read_truth, beside)


def _add_beside_runs(add: Add) -> None:
    def run_of(suffix: str) -> Callable[[Path], object]:
        return lambda path: read_runs(path.with_name(path.name.removesuffix(suffix)))

    models = {"models": [{"query": "sofa", "page": "plan", "points": "10,10 90,10 90,60"}]}
    run = {"run.csv": RUN.encode()}
    add("run models", "run.csv.models", json.dumps(models), run_of(".models"), run)
    made = json.dumps({"method": "e", "made by": "spotlab 1.0", "seed": 3})
    add("run provenance", "run.csv.provenance.json", made, run_of(".provenance.json"), run)
    add(
        "run folder",
        "runs/plan.csv",
        RUN,
        lambda path: read_runs(path.parent),
        {"runs/other.csv": RUN.replace("plan", "other").encode()},
    )
    naming = {
        "images": [{"id": 1, "file_name": "plan.png", "width": 80, "height": 60}],
        "categories": [{"id": 1, "name": "sofa"}], "annotations": [],
    }  # fmt: skip
    add("coco naming", "annotations.json", json.dumps(naming), read_naming, {})


def _add_own_state(folder: Path, add: Add) -> None:
    """Journals and unfinished steps: spotlab's own, but they may come with anybody's folder."""
    own = folder / "own"
    own.mkdir()
    (own / "plan.png").write_bytes((folder / "plan.png").read_bytes())
    page, corners = Page(own / "plan.png", 80, 60), ((0, 0), (10, 0), (10, 10))
    sofa = Truth(page, (Region(corners, "sofa", "r1"),))
    saved = {"plan.xml": page_xml.serialise(sofa, MOMENT)}
    (own / "plan.xml").write_bytes(saved["plan.xml"])
    session = EditingSession.open(own / "plan.xml", page)
    session.history.do("Draw bed", session.document.adding(Region(corners, "bed", "r2")))
    session.close()
    journal = journal_path(own / "plan.xml")
    _, *steps = journal.read_bytes().splitlines(keepends=True)
    header = header_line(page, saved["plan.xml"], signing_key(), LEASE)
    add("journal", journal.name, b"".join([header, *steps]), _read_journal, saved)
    labels = LabelSet((Label("sofa", "#102030", "1"),))
    survey = survey_pages(scan([own]), "sofa")
    step = rename_label(labels, "sofa", "couch", own, survey.carrying)
    file = write_unfinished(step)
    add("unfinished step", file.name, file.read_bytes(), _read_unfinished, saved)
    remove_unfinished(own)


def _read_journal(path: Path) -> object:
    read = read_journal(path)
    EditingSession.open(
        path.with_name("plan.xml"), Page(path.with_name("plan.png"), 80, 60)
    ).close()
    return read


def _read_unfinished(path: Path) -> object:
    return [read_unfinished(step) for step in find_unfinished([path.parent])] or [path]


def _add_votes(truth: Truth, add: Add) -> None:
    """Files of which several make a table of votes."""

    def votes_of(*others: str) -> Callable[[Path], object]:
        return lambda path: read_votes([path, *(path.with_name(name) for name in others)])

    run = RUN + 'bed,plan,2,0.25,"10 10,40 10,40 40"\n'
    add("votes of runs", "run.csv", run, votes_of("other.csv"), {"other.csv": run.encode()})
    trec = "1 Q0 d1 1 9.5 mine\n1 Q0 d2 2 8.25 mine\n"
    other = trec.replace("mine", "yours").encode()
    add("votes of trec", "run.trec", trec, votes_of("other.trec"), {"other.trec": other})
    text = {"b.txt": b"some words on a page\n"}
    add("votes of texts", "a.txt", "some words of a page\n", votes_of("b.txt"), text)
    letter = (sample_collection(LETTERS) / "letter_001.xml").read_bytes()
    add("words", "letter_001.xml", letter, lambda path: read_words([path]))
    plan = page_xml.serialise(truth, MOMENT)
    add("truths", "plan.xml", plan, lambda path: read_truths([path.parent]))
