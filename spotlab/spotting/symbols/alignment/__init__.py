"""Alignment of contours by chamfer distance."""
