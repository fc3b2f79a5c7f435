"""Solutions of small duels under any rules, found by playing out every choice and every roll with the engine."""
