"""Trees and judgements from files; every bad line of them is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from spotlab.errors import BadInput
from spotlab.formats.judgement_trees import read_judgements, read_tree
from spotlab.uncertain_truth.judgements import CategoryTree, relevance

TREE = """category,parent
people,all
scenery,all
single,people
group,people
crowd,people
city,scenery
countryside,scenery
"""
JUDGEMENTS = """subject,item,category
1,Fig. 1,people
2,Fig. 1,people
3,Fig. 1,crowd
4,Fig. 1,city
5,Fig. 1,city
"""


def tree_of(folder: Path, text: str = TREE) -> Path:
    path = folder / "tree.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_figure_1_from_files(tmp_path: Path) -> None:
    read = read_tree(tree_of(tmp_path))
    assert read.tree is not None
    assert (read.bad_lines, read.remarks) == ((), ())
    path = tmp_path / "judgements.csv"
    path.write_text(JUDGEMENTS)
    found = read_judgements(path, read.tree)
    assert (found.bad_lines, found.remarks) == ((), ())
    assert found.judgements.subjects == ("1", "2", "3", "4", "5")
    shares = dict(zip(read.tree.categories, relevance(found.judgements)[0].tolist(), strict=True))
    assert shares == {
        "all": 1, "people": 0.6, "scenery": 0.4,
        "single": 0, "group": 0, "crowd": 0.2, "city": 0.4, "countryside": 0,
    }  # fmt: skip


def test_columns_in_any_order_quotes_spaces_and_a_written_root(tmp_path: Path) -> None:
    text = '\ufeffParent, note ,Category\n,x,all\nall,,"people, many"\n"people, many",," crowd "\n'
    read = read_tree(tree_of(tmp_path, text))
    assert read.tree is not None
    assert read.tree.categories == ("all", "people, many", "crowd")
    assert read.remarks == ("ignored columns: 'note '",)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("a,b\nb,c\nc,a\n", {2: "circle", 3: "circle", 4: "circle"}),
        ("all,\na,all\nevery,\n", {4: "'every' has no parent, but 'all' is the root already"}),
        ("a,all\nb,every\nc,every\n", {3: "'every' has no parent", 4: "'every' has no parent"}),
        ("all,\na,all\nb,al\n", {4: "the parent 'al' is no category of the tree"}),
        ("a,all\na,b\nb,all\n", {3: "the category 'a' has the parent 'all' already"}),
        ("a,all\n,all\na\n", {3: "category is empty", 4: "1 fields, not 2"}),
    ],
)
def test_what_is_no_tree_names_all_lines(
    tmp_path: Path, rows: str, expected: dict[int, str]
) -> None:
    path = tree_of(tmp_path, "category,parent\n" + rows)
    read = read_tree(path)
    assert read.tree is None
    found = {line.line: str(line) for line in read.bad_lines}
    assert list(found) == list(expected)
    for line, words in expected.items():
        assert found[line].startswith(f"{path}, line {line}: ")
        assert words in found[line]


def test_bad_judgements_are_all_listed(tmp_path: Path) -> None:
    path = tmp_path / "judgements.csv"
    path.write_text(
        "subject,item,category\n"
        "Ann,q,city\n"
        "Ann,q,crowd\n"
        "Bob,q,town\n"
        "Bob,q,city\n"
        "Bob,q,city\n"
        "Cid,,city\n"
        "Cid,q\n"
        "Cid,r,all\n"
    )
    tree = CategoryTree.of([("city", "all"), ("crowd", "all")])
    read = read_judgements(path, tree)
    assert [str(line).removeprefix(f"{path}, ") for line in read.bad_lines] == [
        "line 3: Ann has judged q already: 'city', in line 2",
        "line 4: the category 'town' is not in the tree",
        "line 7: item is empty; expected a name",
        "line 8: 2 fields, not 3 as in the first line",
    ]
    assert read.remarks == (
        f"{path}: 1 line repeats an earlier line exactly, line 6; it counts once",
    )
    assert len(read.judgements) == 3
    assert read.judgements.subject_counts.tolist() == [2, 1]
    assert relevance(read.judgements)[0, tree.number["city"]] == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        ("category\nall\n", "there is no column parent"),
        ("category,parent,parent\n", "the column parent occurs twice"),
        ("category,parent\n", "there is no category in it"),
    ],
)
def test_files_that_are_no_tree_files(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        read_tree(tree_of(tmp_path, text))


def test_a_file_without_judgements_and_none_at_all(tmp_path: Path) -> None:
    tree = CategoryTree.of([("all", "")])
    path = tmp_path / "judgements.csv"
    path.write_text("subject,item,category\n")
    with pytest.raises(BadInput, match="there is no judgement in it"):
        read_judgements(path, tree)
    with pytest.raises(BadInput, match="cannot be read: it does not exist"):
        read_judgements(tmp_path / "none.csv", tree)
