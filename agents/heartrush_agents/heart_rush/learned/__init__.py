"""Learned agents: networks loaded from a folder with weights and a card. They need no torch."""
