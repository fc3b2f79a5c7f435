"""The rules of Heretics, a file for each heading of the rule text."""
