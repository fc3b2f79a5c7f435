"""The front ends that support only Heart Rush; all other front ends work with any game."""
