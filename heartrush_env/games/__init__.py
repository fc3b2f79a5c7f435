"""The games of this package. `heartrush_env.tabletop.registry` opens them, and those of other packages."""

from typing import Final

# The module that opens each game.
GAMES: Final = {
    "heart_rush": "heartrush_env.games.heart_rush.opening",
    "heretics": "heartrush_env.games.heretics.game",
}
