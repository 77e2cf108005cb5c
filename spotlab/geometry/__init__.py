"""Polygons as arrays: ``points : (N, 2) float``, x, y in px, origin top left, open ring.

Knows no page and no region. Pixel (x, y) covers [x, x+1) × [y, y+1); there is no +1 anywhere.
"""
