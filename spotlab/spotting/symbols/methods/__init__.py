"""Spotting methods that are more than a descriptor, one a file."""
