"""One file per file format: sniff, read, write. The only package that imports lxml.

``rows`` and ``page`` hold what formats share, ``truth`` those of truth.
"""
