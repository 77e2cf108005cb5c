"""Finders of named entities in texts; each module here that defines a `FindEntities` is one."""
