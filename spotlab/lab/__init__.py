"""The laboratory: draws documents, trains networks, repeats studies; spotlab works without it."""
