"""Exports of duels: to OpenSpiel as a game, to Gambit and Nashpy as the stage game of a state."""
