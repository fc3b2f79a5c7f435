"""The game Heart Rush: its rules, the engine that runs them, and the observations that learners get."""
