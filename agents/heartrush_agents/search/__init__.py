"""Search at the table: roll-outs with the engine itself, from what a seat sees."""
