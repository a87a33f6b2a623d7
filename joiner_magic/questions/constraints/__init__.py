"""What a run left out, why that is sound, and how to verify it."""
