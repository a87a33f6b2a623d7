"""The stages of Algorithm 1, and the values that they hand on."""
