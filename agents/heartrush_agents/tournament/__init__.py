"""Agents against agents: fights played, cross tables of scores, the mind-game arena. Needs no torch."""
