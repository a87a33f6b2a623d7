"""Sessions: the texts of a notebook's cells, the runs of the learner on them, and what a run takes over from others."""
