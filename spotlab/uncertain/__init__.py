"""Truth that people disagree on: precision and recall as distributions."""
