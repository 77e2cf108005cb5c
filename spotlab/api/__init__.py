"""The jobs of spotlab as functions of Python, with tables in and tables out.

`import spotlab` offers them under its own name; the command line calls the same functions.
"""
