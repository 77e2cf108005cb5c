"""Truth of floor plans that other people drew, in SVG."""
