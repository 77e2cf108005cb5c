"""Pictures of words for the window; the work is done in `spotlab.imaging.word_crops`."""

from spotlab.imaging.word_crops import WordCrops

__all__ = ["WordCrops"]
