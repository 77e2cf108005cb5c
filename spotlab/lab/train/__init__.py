"""Training of the networks that spotlab comes with."""
