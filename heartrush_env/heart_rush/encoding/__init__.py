"""The meaning of a learner's numbers: the table of actions and the table of observation features."""
