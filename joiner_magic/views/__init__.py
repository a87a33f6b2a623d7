"""Pictures of a run, laid out and drawn in plain Python: no front end is needed to make one."""
