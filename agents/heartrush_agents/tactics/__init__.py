"""Agents that calculate the odds from the dice, the map and the opponents' habits."""
