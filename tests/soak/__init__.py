"""Long runs that look for what short tests do not meet: ``make soak``."""
