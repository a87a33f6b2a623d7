"""What covers what: the rules of a hypothesis, their fragments, and why there are no fewer."""
