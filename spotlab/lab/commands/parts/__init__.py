"""`spotlab parts`: collections in parts, which no memory has to hold."""

from spotlab.cli.root import FolderGroup

parts = FolderGroup(
    "spotlab.cli.parts",
    __name__,
    name="parts",
    help="Evaluate runs on collections of any size: truth and runs as folders of Parquet files.",
)
