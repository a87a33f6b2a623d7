"""The lattice view: rules and their specialisations, as a picture, a table and a text.

It answers which rules were tried, how they hang together, and why the hypothesis is what it is. A rule stands above its
specialisations, which have one literal more and cover no more examples.
"""
