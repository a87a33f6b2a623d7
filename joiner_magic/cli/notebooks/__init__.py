"""Task notebooks to begin with: they run at once, and are made to be edited. `joiner new` writes them.

`ipynb` has cells as values, `tasks` and `table_notebook` make the cells of a notebook, and `tables` reads CSV files and guesses
what their columns mean. Every notebook that is made here is run by the tests.
"""
