"""Grids that fights take place on."""
