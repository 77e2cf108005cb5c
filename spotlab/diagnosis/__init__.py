"""What is missing or odd on a machine, and the versions of all that spotlab stands on."""
