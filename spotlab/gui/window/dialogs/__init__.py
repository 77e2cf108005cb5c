"""Dialogs that belong to the window: files, exports, preferences, help, closing."""
