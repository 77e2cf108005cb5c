"""How each command is called on small sample data, for those who interrupt it."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.root import _root
from spotlab.resources import LETTERS, VOTES, sample_collection

# {plans}, {letters} and {votes} are the samples, {made} what `prepare` makes; "@" begins another
# way to call the same command
RECIPES = {
    "adapt words": (
        "{letters} --light --given-boxes --words {made}/words.txt --out {out}/own.onnx "
        "--cache {out}/cache"
    ),
    "annotators": (
        "--annotator {plans} --annotator {made}/truth --run {plans}/runs/a_ratios.csv "
        "--out {out}/report --jobs 2"
    ),
    "consensus": "{votes}/contest.csv --draws 2000 --out {out}/report",
    "convert": "{plans} {out}/coco --to labelme",
    "demo": "",
    "demo @headless": "--headless --out {out}",
    "doctor": "--json {out}/found.json",
    "displacement": "{made}/ideal.csv {made}/answers.csv --json {out}/found.json",
    "evaluate": "--truth {plans} --run {plans}/runs/a_ratios.csv --out {out}/report",
    "evaluate @jobs": (
        "--truth {plans} --run {plans}/runs/a_ratios.csv --run {plans}/runs/e_alignment.csv "
        "--jobs 2 --json {out}/found.json"
    ),
    "evaluate @cluster": (
        "--truth {plans} --run {plans}/runs/a_ratios.csv --cluster {cluster} "
        "--json {out}/found.json"
    ),
    "open": "{plans} {plans}/runs/a_ratios.csv",
    "parts evaluate": (
        "--truth {made}/parts/truth --run {made}/parts/runs/a_ratios --out {out}/made --jobs 2"
    ),
    "parts evaluate @cluster": (
        "--truth {made}/parts/truth --run {made}/parts/runs/a_ratios --out {out}/made "
        "--cluster {cluster}"
    ),
    "parts scalability": (
        "--truth {made}/parts/truth --run {made}/parts/runs/a_ratios --out {out}/made --draws 5"
    ),
    "parts write": "--truth {plans} --run {plans}/runs/a_ratios.csv --part-pages 2 --out {out}",
    "pipelines": "--pages {letters} --ink otsu --entities words --out {out}/texts --jobs 2",
    "reproduce annotate": "{plans} --limit 1 --label chair --cache {out}/cache",
    "reproduce consensus": "",
    "reproduce estimates": "--seed 1",
    "reproduce symbols": (
        "--count 4 --methods a,b --no-further --draws 5 --out {out}/report --cache {out}/cache"
    ),
    "reproduce words": "--pages {letters} --each 1 --out {out}/report --cache {out}/cache --jobs 2",
    "rerank": "{made}/list.csv --fusion ml --fusion cr --scores {made}/scores.npz --out {out}/made",
    "scalability": (
        "--truth {plans} --run {plans}/runs/e_alignment.csv --draws 500 --out {out}/report"
    ),
    "spot propose": "--pages {plans} --lessons {plans} --csv {out}/pages.csv --cache {out}/cache",
    "spot propose @cluster": (
        "--pages {plans} --lessons {plans} --json {out}/work.json --cache {out}/cache "
        "--cluster {cluster}"
    ),
    "spot symbols": (
        "--query sofa --pages {plans} --out {out}/run.csv --cache {out}/cache --method e --jobs 2"
    ),
    "spot symbols @cluster": (
        "--query sofa --pages {plans} --out {out}/run.csv --cache {out}/cache --method a "
        "--cluster {cluster}"
    ),
    "spot words": "--query the --pages {letters} --out {out}/lists.csv --cache {out}/cache",
    "synthesise floorplans": "--pages 200 --out {out} --width 700 --height 500 --jobs 2",
    "synthesise manuscript": "--pages 40 --out {out} --jobs 2",
    "synthesise runs": "--truth {plans} --out {out}",
    "synthesise votes": "--tokens 20000 --out {out}/votes.csv",
    "train symbols": "--minutes 1 --jobs 1 --out {out}/symbols.onnx",
    "train words": (
        "--fonts {made}/fonts --words {made}/words.txt --minutes 1 --jobs 1 --out {out}/words.onnx"
    ),
    "uncertain": (
        "{made}/judgements.csv --tree {made}/tree.csv --answers {made}/answered.csv "
        "--out {out}/report"
    ),
    "validate": "{plans} {letters}",
}


def commands(group: click.Command | None = None, name: str = "") -> list[str]:
    """The names of all commands that do something."""
    group = group or _root()
    if not isinstance(group, click.Group):
        return [name]
    context = click.Context(group)
    below = {each: group.get_command(context, each) for each in group.list_commands(context)}
    return [leaf for each, one in below.items() for leaf in commands(one, f"{name} {each}".strip())]


def places(made: Path) -> dict[str, Path]:
    """What the recipes speak of, but {out} and {cluster}."""
    return {
        "plans": sample_collection(),
        "letters": sample_collection(LETTERS),
        "votes": sample_collection(VOTES),
        "made": made,
    }
