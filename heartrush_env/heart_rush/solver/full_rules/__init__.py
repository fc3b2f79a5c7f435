"""Small duels under any rules, solved by playing the engine through every choice and every roll."""
