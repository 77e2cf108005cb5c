"""Tests; a package, because some installed package brings one of this name along."""
