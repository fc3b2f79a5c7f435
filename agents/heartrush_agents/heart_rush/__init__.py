"""Agents of Heart Rush: scripted bots, tactics, characters, search, exact play, and networks for its observations."""
