"""`spotlab synthesise`: documents whose truth is known exactly; one file per kind of document."""

from spotlab.cli.root import FolderGroup

synthesise = FolderGroup(
    "spotlab.cli.synthesise",
    __name__,
    name="synthesise",
    help="Draw synthetic documents together with their truth.",
)
