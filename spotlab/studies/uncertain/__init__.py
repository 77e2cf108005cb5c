"""Studies with uncertain truth."""
