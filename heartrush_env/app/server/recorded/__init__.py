"""Uploaded records: shown window by window, and judged by the equilibrium. They are neither stored nor executed."""
