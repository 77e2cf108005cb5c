"""`spotlab adapt`: adapt the networks that spotlab uses to a collection; one file per kind."""

from spotlab.cli.root import FolderGroup

adapt = FolderGroup(__name__, name="adapt", help="Adapt a network to a collection.")
