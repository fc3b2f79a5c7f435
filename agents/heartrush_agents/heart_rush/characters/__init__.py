"""Enemies with characters: one player with a few dials, a reader of the enemy's habits, and a safe answer to them."""
