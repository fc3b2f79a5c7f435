"""A second implementation of Heart Rush combat in plain, slow Python, written without the engine to check it."""
