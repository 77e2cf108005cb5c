"""The measures: arrays in, numbers out; nothing here knows files, pages or windows."""
