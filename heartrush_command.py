"""The command `heartrush` from its first moment: it imports the program inside a guard against Ctrl-C.

This module is outside the packages because importing any part of `heartrush_env` first imports Gymnasium.
"""

import sys

INTERRUPTED = 130


def main() -> int:
    """Load the program and run one command; return its exit code."""
    try:
        from heartrush_env.app.cli.main import main as run
    except KeyboardInterrupt:
        print("heartrush: interrupted while it was loading.", file=sys.stderr)
        return INTERRUPTED
    return run()
