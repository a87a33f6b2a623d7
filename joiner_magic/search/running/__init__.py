"""A run as something that goes on in time: budget, pauses, events, and how far it is."""
