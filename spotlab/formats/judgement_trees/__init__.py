"""Judgements of subjects over a tree of categories as files: the tree, and who said what."""
