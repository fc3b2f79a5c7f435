"""What a learner's numbers mean: the one table of actions and the one table of observation features."""
