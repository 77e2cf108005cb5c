"""`spotlab reproduce`: the papers' studies on pages of your own; one file per study."""

from spotlab.cli.folder_group import FolderGroup

reproduce = FolderGroup(
    __name__, name="reproduce", help="Repeat a paper's study on pages of your own."
)
