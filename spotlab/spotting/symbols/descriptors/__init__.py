"""Descriptors of closed contours, one a file; a new file is a new method."""
