"""`spotlab reproduce`: the papers' studies on drawn pages or your own; one file per study."""

from spotlab.cli.root import FolderGroup

reproduce = FolderGroup(
    "spotlab.cli.reproduce",
    __name__,
    name="reproduce",
    help="Repeat a paper's study on synthetic pages or on your own.",
)
