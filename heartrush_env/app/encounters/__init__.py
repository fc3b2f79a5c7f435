"""Encounters of any game, for game masters: how often a party wins, and which monsters fit a wish."""
