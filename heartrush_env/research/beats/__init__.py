"""Exact solutions of duels in secret beats: both sides choose at once, both attack, and both may answer hits."""
