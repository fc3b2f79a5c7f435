"""Abilities: what fighters of a scenario may own beside the rules that hold for everyone, one class each."""
