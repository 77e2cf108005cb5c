"""PAGE XML taken apart and changed, and what other XML formats share with it."""
