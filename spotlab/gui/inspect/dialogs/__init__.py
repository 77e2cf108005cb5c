"""The dialogs of Inspect: settings, reports, naming, scalability, symbol spotting."""
