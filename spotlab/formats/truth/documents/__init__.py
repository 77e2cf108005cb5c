"""Formats of OCR engines and of data sets of text in images and handwriting."""
