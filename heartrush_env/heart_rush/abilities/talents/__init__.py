"""Talents, by the names under which the book lists them."""
