"""Agents that work out the odds: what the dice, the map and the opponents so far make likely."""
