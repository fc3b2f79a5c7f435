"""The engine runs the rules: windows, legal choices, rounds, strikes, notation. It contains no rules."""
