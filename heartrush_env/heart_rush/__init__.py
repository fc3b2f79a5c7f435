"""The game Heart Rush: its rules, the engine that makes them run, and what learners see of it."""
