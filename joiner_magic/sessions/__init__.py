"""What the cells of one notebook have said so far, the runs that were made of it, and what a run may reuse."""
