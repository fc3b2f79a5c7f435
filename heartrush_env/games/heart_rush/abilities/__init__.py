"""Abilities that fighters of a scenario may have in addition to the rules for everyone, each written as a class."""
