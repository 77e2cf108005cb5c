"""The columns of word images: one per ranked list, in rank order, framed by what they are."""

from spotlab.gui.words_view.columns import WordColumns

__all__ = ["WordColumns"]
