"""What every method of symbol spotting works with: query models, features, the interface."""
