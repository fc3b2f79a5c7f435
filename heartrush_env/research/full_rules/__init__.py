"""Solution of small duels under any rules, by playing the engine through every choice and every roll."""
