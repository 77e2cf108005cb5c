"""Synthetic documents whose truth is known exactly, because we drew them."""
