"""The rule of the game: the points for a hand."""

from heartrush_env.tabletop.rule import compiled

WORTH = 3


@compiled
def worth_of(action):
    """Return the points for a hand."""
    return WORTH * action
