"""The view of pruning constraints, as a picture, a table and a text.

It answers how much of the space was never tested, and why that was right.
"""
