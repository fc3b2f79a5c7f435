"""Exports of duels: to OpenSpiel as games, and to Gambit and Nashpy as the stage game of a state."""
