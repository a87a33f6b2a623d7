"""The only package that imports IPython: magics, completion, and what cells show."""
