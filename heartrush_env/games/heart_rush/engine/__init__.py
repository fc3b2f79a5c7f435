"""The engine runs the rules: state, windows, legal choices, rounds, endings, events, notation. It contains no rules."""
