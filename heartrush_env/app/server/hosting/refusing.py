"""The answers of the host to requests that it refuses, and to its own failures."""

from __future__ import annotations

from heartrush_env.app.engine import LONGEST_REASON
from heartrush_env.app.server.hosting.messages import HostError, Refusal
from heartrush_env.tabletop.errors import HeartRushError


def in_brackets(problem: Exception) -> str:
    """Return the reason for a failure, phrased for the middle of a sentence."""
    name = "" if isinstance(problem, HeartRushError) else f"{type(problem).__name__}: "
    return " ".join(f"{name}{problem}".split())[:LONGEST_REASON].rstrip(".")


def refusal_of(problem: Exception) -> Refusal:
    """Return the refusal that reports a failure."""
    if isinstance(problem, HeartRushError):
        return Refusal(code=problem.code if isinstance(problem, HostError) else "bad_field", message=str(problem))
    return Refusal(code="internal", message=f"The host failed at this request ({in_brackets(problem)}).")
