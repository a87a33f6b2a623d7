"""Exported notebooks show the cells of joiner-magic as Prolog.

All of Jupyter's programs read this file, so it serves `jupyter nbconvert` and the front ends' export
menu. The languages are added to those of other files, which may come before it or after it.
"""

c = get_config()  # type: ignore[name-defined]  # noqa: F821  # the loader of configuration files defines it

c.HighlightMagicsPreprocessor.languages.update(
    {"%%bk": "prolog", "%%examples": "prolog", "%%bias": "prolog", "%%joiner": "prolog"}
)
