"""The front ends that know Heart Rush; all others ask the game."""
