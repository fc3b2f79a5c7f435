"""The front ends for Heart Rush alone; all other front ends work with any game."""
