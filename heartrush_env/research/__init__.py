"""Exact solutions of duels: equilibria, best responses, and the analysis of policies."""

from heartrush_env.games.heart_rush import SOURCES as HEART_RUSH
from heartrush_env.tabletop.sources import Sources

SOURCES = Sources(__file__, "the solvers", without=("analysis", "bridges", "plots.py"), needs=(HEART_RUSH,))
