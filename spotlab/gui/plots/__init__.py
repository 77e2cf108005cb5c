"""The plots of the Inspect workspace; what they show is computed without Qt."""
