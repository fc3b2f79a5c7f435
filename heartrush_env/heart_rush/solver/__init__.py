"""Exact solutions of duels: equilibria, best responses, and what they say of a policy."""
