"""Ranked lists: how good they are, where they are cut, and how several become a better one."""
