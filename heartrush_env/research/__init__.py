"""Exact solutions of duels: equilibria, best responses, and the analysis of policies."""
