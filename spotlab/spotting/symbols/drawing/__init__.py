"""Drawings as contours and primitives."""
