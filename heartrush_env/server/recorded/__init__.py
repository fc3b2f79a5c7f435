"""Records that people send: shown window by window, and judged by the equilibrium. Nothing of them is kept or run."""
