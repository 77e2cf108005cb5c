"""Ranked lists: how good they are, where to cut them, and how to fuse several into a better one."""
