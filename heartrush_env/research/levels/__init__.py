"""Duels under the profile "levels": hit points, heart dice and levels of three conditions."""
