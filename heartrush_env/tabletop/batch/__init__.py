"""Batches of fights of any game: slots, autoreset, keys, given dice, snapshots and the stepping kernel."""
