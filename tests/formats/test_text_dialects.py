"""Tables are read in every encoding, with every separator, with decimal commas, and packed."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from spotlab.errors import BadInput
from spotlab.formats.collection.label_table import read_label_table
from spotlab.formats.judgement_trees import read_tree
from spotlab.formats.lists.rankings import read_answers, read_ideal
from spotlab.formats.lists.reading import read_lists
from spotlab.formats.lists.trec import read_qrels
from spotlab.formats.page.read import read_page_tree
from spotlab.formats.rows import text_files
from spotlab.formats.rows.json_values import load_json
from spotlab.formats.runs.reading import read_run
from spotlab.formats.votes.answers import read_answers as read_asked
from spotlab.formats.votes.reading import read_votes
from spotlab.studies.tally.subset import read_subset

Read = Callable[[Path], object]


def run(path: Path) -> object:
    got = read_run(path)
    assert got.bad_lines == ()
    return got.run.queries, got.run.pages, got.run.score.tolist(), got.run.outlines.points.tolist()


def lists(path: Path) -> object:
    got = read_lists(path)
    assert got.bad_lines == ()
    return [
        (each.query, list(each.items.pages), [ranked.score.tolist() for ranked in each.lists],
         each.items.boxes.tolist())
        for each in got.queries
    ]  # fmt: skip


def votes(path: Path) -> object:
    table = read_votes([path])
    assert table.bad_lines == ()
    return table.items, table.systems, table.votes.dense().tolist(), table.factors


def asked(path: Path) -> object:
    got = read_asked(path)
    return got.items, got.relevant.tolist(), got.inclusion.tolist(), got.bad_lines


def tree(path: Path) -> object:
    got = read_tree(path).tree
    assert got is not None
    return sorted(got.number)


TABLES: dict[str, tuple[str, Read]] = {
    "run": ('query,page,rank,score,points\nTür,plan,1,"0.5","1,2 60,10 60,60"\n'
            'Tür,plan,2,"0.25","1,2 61,10 60,60"\n', run),
    "lists": ('query,page,x,y,width,height,score\nTür,plan,1.5,1,10,10,0.5\n', lists),
    "votes": ('item,Süd,Nord,truth\n#engine,a,b,\nTür,0.5,1,1\nb,0.25,0,0\n', votes),
    "long votes": ('item,system,vote\nTür,a,0.5\nTür,b,1\n', votes),
    "ideal": ('subject,query,rank,item,relevance\nÄnne,q,1,a,0.5\n',
              lambda path: read_ideal(path).rankings),
    "answers": ('system,query,rank,item\nÄnne,q,1,a\n', lambda path: read_answers(path).rankings),
    "asked": ('item,inclusion,round,relevant\nTür,0.5,0,1\n', asked),
    "tree": ('category,parent\nTür,\nTor,Tür\n', tree),
    "labels": ('name,colour,digit,description\nTür,#ff0000,1,a door\n',
               lambda path: list(read_label_table(path))),
}  # fmt: skip
ENCODINGS = ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "latin-1"]


def with_mark(text: str, mark: str, *, decimal: bool = False) -> str:
    """The table with other separators, and decimal commas outside of quotes that hold points."""
    lines = []
    for line in text.splitlines():
        parts = line.split('"')
        parts[::2] = [part.replace(",", mark) for part in parts[::2]]
        if decimal:
            parts = [part.replace(".", ",") if " " not in part.strip() else part for part in parts]
        lines.append('"'.join(parts))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_table_is_read_in_every_encoding(table: str, encoding: str, tmp_path: Path) -> None:
    text, read = TABLES[table]
    (tmp_path / "a").mkdir()
    plain, other = tmp_path / "a" / "x.csv", tmp_path / "x.csv"
    plain.write_text(text, "utf-8")
    other.write_bytes(text.encode(encoding))
    assert read(other) == read(plain)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("mark", [";", "\t", "|"])
@pytest.mark.parametrize("head", ["", "sep", "bom"])
def test_a_table_is_read_with_every_separator_and_decimal_commas(
    table: str, mark: str, head: str, tmp_path: Path
) -> None:
    text, read = TABLES[table]
    (tmp_path / "a").mkdir()
    plain, other = tmp_path / "a" / "x.csv", tmp_path / "x.csv"
    plain.write_text(text, "utf-8")
    changed = with_mark(text, mark, decimal=True)
    changed = f"sep={mark}\n{changed}" if head == "sep" else changed
    other.write_bytes(
        changed.replace("\n", "\r\n").encode("utf-8-sig" if head == "bom" else "utf-8")
    )
    assert read(other) == read(plain)


@pytest.mark.parametrize("table", TABLES)
def test_a_packed_table_is_read_and_called_like_its_file(table: str, tmp_path: Path) -> None:
    text, read = TABLES[table]
    plain, packed = tmp_path / "x.csv", tmp_path / "x.csv.gz"
    plain.write_text(text, "utf-8")
    packed.write_bytes(gzip.compress(text.encode("utf-16")))
    assert read(packed) == read(plain)


def test_lines_keep_their_numbers_and_bad_ones_their_names(tmp_path: Path) -> None:
    file = tmp_path / "run.csv"
    lines = ["sep=;", "# method: e", "query;page;score;points"]
    lines += ["Tür;plan;0,5;0,0 4,0 4,4", "Tür;plan;hoch;0,0 4,0 4,4", "Tür;plan;0,4;0,0 4,0 4,4"]
    for encoding in ("utf-16", "latin-1", "utf-8"):
        file.write_bytes("\r\n".join([*lines, ""]).encode(encoding))
        got = read_run(file)
        assert [str(line) for line in got.bad_lines] == [
            "line 5: score is 'hoch', not a finite number"
        ]
        assert got.run.line.tolist() == [4, 6]
        assert got.run.provenance == {"method": "e"}


def test_a_guessed_code_page_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "run.csv"
    row = 'query,page,score,points\n{},plan,1,"0,0 4,0 4,4"\n'
    for name, encoding, title in [
        ("沙发", "gbk", "GB18030 (Chinese)"),
        ("ソファー", "cp932", "Shift-JIS (Japanese)"),
        ("Tür", "cp1252", "Windows-1252 (Western European)"),
        ("диван", "cp1251", "Windows-1251 (Cyrillic)"),
    ]:
        file.write_bytes(row.format(name).encode(encoding))
        got = read_run(file)
        assert got.run.queries == (name,)
        assert any(f"read as {title}, which was guessed" in remark for remark in got.remarks)
    file.write_bytes(row.format("Tür").encode())
    assert read_run(file).remarks == ()


def test_single_bytes_that_are_not_utf8_cost_their_lines_only(tmp_path: Path) -> None:
    file = tmp_path / "run.csv"
    good, bad = 'Tür,plan,1,"0,0 4,0 4,4"\n'.encode(), b'T\xfcr,plan,1,"0,0 4,0 4,4"\n'
    file.write_bytes(b"query,page,score,points\n" + good * 3 + bad + good * 3)
    got = read_run(file)
    assert [str(line) for line in got.bad_lines] == ["line 5: not UTF-8: the byte 0xFC at 2"]
    assert len(got.run) == 6


def test_numbers_in_quotes_with_thousands_are_not_taken_for_decimals(tmp_path: Path) -> None:
    file = tmp_path / "run.csv"
    row = 'a,p,"{}","0,0 4,0 4,4"\n'
    file.write_text("query,page,score,points\n" + row.format("0,954") + row.format("1,204"))
    got = read_run(file)
    assert got.run.score.tolist() == [0.954]
    assert [line.line for line in got.bad_lines] == [3]


def test_qrels_and_runs_of_trec_with_other_marks_and_names(tmp_path: Path) -> None:
    file = tmp_path / "judged.txt"
    grades = {"Tür": {"d1": 1, "d2": 0}}
    for text in [
        "Tür 0 d1 1\nTür 0 d2 0\n",
        "Tür\t0\td1\t1\nTür\t0\td2\t0\n",
        "Tür;0;d1;1\nTür;0;d2;0\n",
        "query-id\tcorpus-id\tscore\nTür\td1\t1\nTür\td2\t0\n",
        "query_id,iteration,doc_id,relevance\nTür,0,d1,1\nTür,0,d2,0\n",
        "qid docno label\nTür d1 1\nTür d2 0\n",
    ]:
        for encoding in ("utf-8", "utf-16", "latin-1"):
            file.write_bytes(text.encode(encoding))
            assert read_qrels(file).grades == grades, text
    ran = tmp_path / "a.run"
    for text in ["q Q0 d1 1 0,9 s\nq Q0 d2 2 0,5 s\n", "q;Q0;d1;1;0,9;s\nq;Q0;d2;2;0,5;s\n"]:
        ran.write_text(text)
        (got,) = read_lists(ran).queries
        assert got.lists[0].score.tolist() == [0.9, 0.5]


def test_json_labels_and_subsets_are_read_in_every_encoding(tmp_path: Path) -> None:
    said: list[str] = []
    for encoding in (*ENCODINGS, "gbk"):
        name = "沙发" if encoding == "gbk" else "Tür"
        file = tmp_path / "x.json"
        file.write_bytes(json.dumps({"label": name}, ensure_ascii=False).encode(encoding))
        assert load_json(file, "labelme", said.append) == {"label": name}
        names = tmp_path / "labels.txt"
        names.write_bytes(f"{name}\nwall\nsofa\n".encode(encoding))
        assert [label.name for label in read_label_table(names)] == [name, "wall", "sofa"]
        assert read_subset(names) == (name, "wall", "sofa")
    assert len(said) == 2  # Latin-1 and GBK are guessed


def test_packed_files_are_bounded_and_a_damaged_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.csv.gz"
    content = gzip.compress(TABLES["run"][0].encode() * 100)
    for damaged, problem in [
        (content[:-9], "is cut off"),
        (content[:20] + b"x" * 90, "is damaged"),
    ]:
        file.write_bytes(damaged)
        with pytest.raises(BadInput, match=problem):
            read_run(file)
    file.write_bytes(content)
    monkeypatch.setattr(text_files, "LARGEST_UNPACKED", 1000)
    with pytest.raises(BadInput, match="unpacked more than 1,000 bytes"):
        read_run(file)


def test_xml_in_another_encoding_than_it_declares_names_line_and_byte() -> None:
    for head in (b"", b'<?xml version="1.0" encoding="UTF-8"?>'):
        with pytest.raises(BadInput, match=r"a.xml, line 2: the byte 0xFC is not UTF-8; expected"):
            read_page_tree(head + b"<PcGts>\n<Page imageFilename='T\xfcr'/></PcGts>", Path("a.xml"))


def test_separators_within_names_do_not_divide_columns(tmp_path: Path) -> None:
    file = tmp_path / "votes.csv"
    file.write_text("item,a;b;c;d,e\nx,1,0\n")
    assert read_votes([file]).systems == ("a;b;c;d", "e")
