"""What rules are written in: dice pools, random numbers, compiled rule functions, the Game protocol."""
