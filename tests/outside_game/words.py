"""The words of the game, which no compiled function reads."""

TITLE = "Stones"
