"""Encounters for game masters: difficulty of fights, the party's state after a day, and monsters for a fair fight."""
