"""Bots with fixed rules, habits and predictors, and the population of the mind-game arena."""
