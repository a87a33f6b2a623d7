"""Pictures of a run, laid out and drawn in plain Python: no front end is needed to make one.

A run can be looked at from four sides: its progress, the lattice of its rules, the pruning constraints, and what covers what. Each
side is a view, in a folder of its own: `view` is what commands and panels ask, `layout` or a module like it computes places,
`picture` draws them as SVG, and a table says the same in numbers. What a view shows comes from `questions/`, which knows nothing of
pictures. The browser draws the same layouts (`notebook/widgets/browser/`).
"""
