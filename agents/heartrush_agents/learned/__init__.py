"""Learned agents: networks read from a folder with weights and a card. Needs no torch."""
