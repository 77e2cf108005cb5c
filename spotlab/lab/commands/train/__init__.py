"""`spotlab train`: make the networks that spotlab uses; one file per kind."""

from spotlab.cli.root import FolderGroup

train = FolderGroup(
    "spotlab.cli.train",
    __name__,
    name="train",
    help="Train a network, with no page that somebody made.",
)
