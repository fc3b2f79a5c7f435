"""Search during play: roll-outs with the engine itself, from what a seat sees."""
