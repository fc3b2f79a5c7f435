"""Training and calibration of Heart Rush agents: recipes, runs and checkpoints, and measurements of strength."""
