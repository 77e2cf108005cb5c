"""The commands of the laboratory, which `spotlab` finds beside its own; one file per command."""
