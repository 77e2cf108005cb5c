"""Truth of pages, and tallies of runs against it, made here or on a cluster."""
