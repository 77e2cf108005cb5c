"""Finds the sample collections, the help and the networks that come with spotlab.

An installed package has them in its folder ``shipped``, put there by pyproject.toml. A checkout has
them at its top.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from platformdirs import user_data_path, user_state_path

from spotlab.errors import NotSaved, SpotlabError, reason
from spotlab.files import exists, is_file, is_folder
from spotlab.interruption import undisturbed

PLANS, LETTERS, VOTES = "floorplans", "manuscript", "votes"  # the sample collections
MODELS = "SPOTLAB_MODELS"
MODEL_FILES = ("english-words.txt", "symbols.onnx", "words.onnx")
PACKAGE = Path(__file__).resolve().parent  # importlib.resources says the same, and takes longer
SHIPPED = PACKAGE / "shipped"
CHECKOUT = PACKAGE.parent  # everybody's site-packages where spotlab is installed
UNFINISHED, LEFT_OUT = "plan_001.xml", "chair"  # what a copy of the plans leaves to be drawn
HELP_LINK = re.compile(r"^- \[(.+?)\]\(([\w-]+)\.md\)", re.MULTILINE)


def sample_collection(name: str = PLANS) -> Path:
    """The folder of a sample collection as it was shipped; not to be written to."""
    return _shipped(f"datasets/{name}")


def help_folder() -> Path:
    """The folder of the help pages."""
    return _shipped("resources/help")


def help_pages() -> dict[str, str]:
    """Names of the help pages and their titles, in the order in which the first page links them.

    Raises
    ------
    SpotlabError
        The help is not installed, or cannot be read.

    Examples
    --------
    >>> list(help_pages())[:3]
    ['index', 'install', 'five-minutes']
    """
    return {name: title for pages in help_groups().values() for name, title in pages.items()}


def help_groups() -> dict[str, dict[str, str]]:
    """Names and titles of the help pages by group, as the first page groups them.

    Raises
    ------
    SpotlabError
        The help is not installed, or cannot be read.

    Examples
    --------
    >>> list(help_groups())
    ['', 'Start', 'How to', 'Annotate', 'Inspect', 'Words', 'Systems', 'Reference']
    """
    index = help_folder() / "index.md"
    try:
        text = index.read_text("utf-8")
    except OSError as error:
        raise SpotlabError(f"{index} cannot be read: {reason(error)}") from error
    groups = {"": {"index": "Overview"}}
    for part in text.split("\n## ")[1:]:
        title, _, links = part.partition("\n")
        known = {name for pages in groups.values() for name in pages}
        pages = {name: text for text, name in HELP_LINK.findall(links) if name not in known}
        if pages:
            groups[title] = pages
    return groups


def model_file(name: str) -> Path | None:
    """A file of trained weights; None where the folder that ``SPOTLAB_MODELS`` names has none.

    This environment variable replaces the folder of the files that come with spotlab.

    Raises
    ------
    SpotlabError
        The variable is not set, and the file is not installed.

    Examples
    --------
    >>> file = model_file("words.onnx")
    """
    if MODELS not in os.environ:
        return needed_model(name)
    file = Path(os.environ[MODELS], name)
    return file if is_file(file) else None


def needed_model(name: str) -> Path:
    """A file of trained weights that work depends on.

    That of the folder that ``SPOTLAB_MODELS`` names, or, where it has none, the shipped one.

    Raises
    ------
    SpotlabError
        It is not installed.

    Examples
    --------
    >>> needed_model("symbols.onnx").name
    'symbols.onnx'
    """
    if MODELS in os.environ and is_file(own := Path(os.environ[MODELS], name)):
        return own
    file = _shipped("resources/models") / name
    if not is_file(file):
        raise SpotlabError(f"{file} is missing, which comes with spotlab: install it anew")
    return file


def own_models() -> Path:
    """The folder of networks and lists of words that the user adds; it need not be there.

    Examples
    --------
    >>> own_models().name
    'models'
    """
    return user_data_path("spotlab") / "models"


def models_ending(suffix: str) -> list[Path]:
    """The files of trained weights, or of words, whose names end in a way.

    Those that come with spotlab first, or of the folder that ``SPOTLAB_MODELS`` names, then those
    that the user has added.

    Parameters
    ----------
    suffix : str

    Examples
    --------
    >>> {file.suffix for file in models_ending(".onnx")} <= {".onnx"}
    True
    """
    folders = [own_models()]
    with suppress(SpotlabError):
        own = os.environ.get(MODELS)
        folders.insert(0, _shipped("resources/models") if own is None else Path(own))
    found: list[Path] = []
    for folder in folders:
        with suppress(OSError):
            found += sorted(file for file in folder.iterdir() if file.name.endswith(suffix))
    return [file for file in found if is_file(file)]


def icon_file() -> Path | None:
    """The picture of the program's icon, 256 px wide; None where it was not installed."""
    with suppress(SpotlabError):
        file = _shipped("resources/icon") / "spotlab.png"
        return file if is_file(file) else None
    return None


def report_folder() -> Path:
    """The folder of the report's template."""
    return _shipped("resources/report")


@undisturbed
def own_sample(name: str = PLANS) -> Path:
    """This user's copy of a sample collection, made on the first call, free to be drawn on.

    The first plan is unfinished: the regions with the label `LEFT_OUT` are missing, and the page
    is not checked.

    Raises
    ------
    NotSaved
        The copy could not be made; nothing is left of it.
    """
    own = user_data_path("spotlab") / name
    shipped = sample_collection(name)
    if is_folder(own):
        if name == PLANS:
            _add_runs(own, shipped)
        return own
    try:
        own.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=own.parent) as folder:
            copy = shutil.copytree(shipped, Path(folder) / own.name)
            if name == PLANS:
                _leave_out(copy / UNFINISHED)
            copy.rename(own)
    except OSError as error:
        raise NotSaved(f"the sample could not be copied to {own}: {reason(error)}") from error
    return own


def finished_page(truth_file: Path) -> Path | None:
    """The complete truth of the page that this user's copy of the plans leaves unfinished.

    Parameters
    ----------
    truth_file : Path
        Of any page.

    Returns
    -------
    Path or None
        The truth file as it was shipped; None if the page is another one.
    """
    unfinished = user_data_path("spotlab") / PLANS / UNFINISHED
    with suppress(SpotlabError, OSError):
        if truth_file.resolve() == unfinished.resolve():
            return sample_collection() / UNFINISHED
    return None


def is_own_folder(folder: Path) -> bool:
    """Tell whether spotlab keeps a folder for itself, such as the copies of the sample collections.

    Examples
    --------
    >>> is_own_folder(user_data_path("spotlab") / "floorplans")
    True
    >>> is_own_folder(Path.home())
    False
    """
    kept = user_data_path("spotlab"), user_state_path("spotlab")
    return any(folder.is_relative_to(own) for own in kept)


def _leave_out(truth_file: Path) -> None:
    """Remove the regions with one label, as if nobody had drawn them, and the mark of a check."""
    text = truth_file.read_text("utf-8")
    region = rf' *<CustomRegion [^>]* type="{LEFT_OUT}">.*?</CustomRegion>\n'
    text = re.sub(region, "", text, flags=re.DOTALL).replace("checked:true;", "")
    truth_file.write_text(text, "utf-8")


def _add_runs(own: Path, shipped: Path) -> None:
    """Copies made before there were runs get them, too."""
    if not exists(own / "runs"):
        with suppress(OSError):  # it can be looked at without
            shutil.copytree(shipped / "runs", own / "runs")


def is_checkout() -> bool:
    """Tell whether this is a checkout, installed or not, and no installed package or build."""
    return not is_folder(SHIPPED) and is_file(CHECKOUT / "pyproject.toml")


def _shipped(name: str) -> Path:
    folder = (SHIPPED if is_folder(SHIPPED) else CHECKOUT) / name
    if is_folder(folder):
        return folder
    raise SpotlabError(f"{folder} is missing: spotlab is not installed whole")
