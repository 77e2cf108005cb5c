"""Formats of annotation tools that are no de facto standard of a whole field."""
