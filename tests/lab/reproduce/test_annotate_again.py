"""`spotlab reproduce annotate`: the truth of small pages is made again, and actions are counted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from spotlab.cli import root
from spotlab.lab.reproduce.annotate import DRAW, NAME, NEXT_PAGE
from tests.spotting.symbols.learned_pages import write_pages, write_truth
from tests.spotting.symbols.proposed_scenes import box_of


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        root.main(["reproduce", "annotate", *map(str, arguments)])
    return int(ended.value.code or 0)


def made(tmp_path: Path, *arguments: object) -> dict[str, object]:
    file = tmp_path / "work.json"
    cache = tmp_path / "cache"
    assert run(tmp_path / "plans", "--cache", cache, "--json", file, *arguments) == 0
    return dict(json.loads(file.read_text("utf-8")))


def test_every_region_is_accepted_or_drawn_and_later_pages_take_fewer_actions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pages(tmp_path / "plans", range(3))
    work = made(tmp_path)
    assert work["regions"] == 18 == work["accepted"] + work["drawn"]  # type: ignore[operator]
    first, *others = work["pages"]  # type: ignore[misc]
    assert first["drawn"] + first["renamed"] >= 3  # one of each label at least
    assert all(page["actions"] < first["actions"] for page in others)
    assert set(work["labels"]) == {"bed", "sink", "table"}  # type: ignore[call-overload]
    of_labels = sum(each["actions"] for each in work["labels"].values())  # type: ignore[attr-defined]
    assert of_labels < work["actions"]  # opening pages is of no label
    printed = capsys.readouterr().out
    assert "actions per region" in printed and "plan_2" in printed
    assert made(tmp_path) == work


def test_the_order_and_the_number_of_pages_and_labels_can_be_chosen(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "plans", range(3))
    one = made(tmp_path, "--limit", 1, "--label", "bed")
    assert [page["page"] for page in one["pages"]] == ["plan_0"]  # type: ignore[attr-defined]
    assert one["regions"] == 2
    orders = {
        tuple(page["page"] for page in made(tmp_path, "--order", "random", "--seed", seed,
                                            "--label", "bed")["pages"])  # type: ignore[attr-defined]
        for seed in range(4)
    }  # fmt: skip
    assert len(orders) > 1
    for page in pages:
        write_truth(page, [])
    assert run(tmp_path / "plans") == 2


def test_a_page_with_one_region_costs_what_a_hand_needs(tmp_path: Path) -> None:
    [page] = write_pages(tmp_path / "plans", range(1))
    write_truth(page, [("sofa", box_of(300, 40, 92, 62))])
    assert made(tmp_path)["actions"] == NEXT_PAGE + DRAW + NAME


# Plans of CVC-FP by office, the first part of their names: weights and limits of proposals were
# chosen on the first, figures are reported on the second.
CHOSEN_ON = ("IIa", "IIb", "2", "4", "8")
REPORTED_ON = ("Ia", "Ib", "Ic", "IIc", "IId", "image003", "image008")


@pytest.mark.slow
def test_one_plan_teaches_most_regions_of_others_of_its_kind(
    shared_data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    names = ("Ic_RE0503_sommaire", "IId_CT0401", "IId_LA0401")
    assert all(name.split("_")[0] in REPORTED_ON for name in names)
    for file in (shared_data / "cvc_fp").iterdir():
        if file.name.startswith(names):
            shutil.copy(file, folder)
    labels = [each for name in ("Door", "Window", "Room", "Wall") for each in ("--label", name)]
    work = made(tmp_path, *labels)
    first, *others = work["pages"]  # type: ignore[misc]
    assert first["page"] == names[0]
    for page in others:
        assert page["actions_per_region"] < first["actions_per_region"], page
        assert page["accepted"] > page["rejected"] + page["corrected"], page
