"""Missing or unusual properties of a machine, and the versions of spotlab's dependencies."""
