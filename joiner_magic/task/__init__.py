"""From texts to a task: background knowledge, examples and bias, read, inferred and checked."""
