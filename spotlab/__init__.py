"""spotlab: draw the truth of document images, judge the systems that spot things in them."""

__version__ = "0.6.0"
