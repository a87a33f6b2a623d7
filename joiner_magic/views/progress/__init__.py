"""The progress view of a run, as a picture, a table and a text.

It answers how far a run is, what it has found by now, and where the time goes.
"""
