"""Offers method f, learned from all labelled regions."""

from __future__ import annotations

from spotlab.spotting.symbols.proposals.region_learner import RegionLearning

METHOD = RegionLearning()
