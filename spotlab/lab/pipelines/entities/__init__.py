"""Finders of named entities in texts; each module here that defines a `EntityFinder` is one."""
