"""A second reading of Heart Rush combat: plain, slow Python, written apart from the engine to check it."""
