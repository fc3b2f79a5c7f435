"""Makes the rules run: state, windows, legal choices, rounds, endings, events, notation. Holds no rule itself."""
