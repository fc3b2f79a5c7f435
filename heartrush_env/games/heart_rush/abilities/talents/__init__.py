"""Talents, named as in the book."""
