"""The only room that knows IPython: magics, completion, and what a person sees."""
