"""`spotlab spot`: embedded systems that make runs and ranked lists; one file per system."""

from spotlab.cli.root import FolderGroup

spot = FolderGroup(
    __name__, name="spot", help="Search pages for symbols or words that look like a query."
)
