"""Abilities of the combat legacy: specializations, signatures, masteries and paragons."""
