"""The engine runs the rules: windows, legal choices, rounds, strikes. It contains no rules."""
