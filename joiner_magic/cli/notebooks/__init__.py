"""Task notebooks to begin with: they run at once, and are made to be edited. `joiner new` writes them."""
