"""The columns of word images: one per ranked list, in rank order, framed by what they are."""

from spotlab.gui.words.columns.columns import WordColumns, keep_options

__all__ = ["WordColumns", "keep_options"]
