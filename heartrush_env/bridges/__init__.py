"""Ways to take a duel elsewhere: to OpenSpiel as a game, to Gambit and Nashpy as the stage game of a state."""
