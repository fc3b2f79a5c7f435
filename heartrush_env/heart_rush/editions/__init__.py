"""Editions of the rules: in each, a round is one page."""
