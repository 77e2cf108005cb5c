"""Subjects: systems in a tree of categories that people disagree on."""
