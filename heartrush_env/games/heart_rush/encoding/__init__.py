"""The meaning of the numbers in actions and observations: the action table and the feature table."""
