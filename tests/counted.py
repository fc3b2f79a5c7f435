"""Plays random fights through the engine and the reference, in plain Python, and counts how often each rule is asked.

    NUMBA_DISABLE_JIT=1 python -m tests.counted 150

plays until every claimed rule function has run, and this many fights at most; prints, as JSON, the calls of each.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Any

from heartrush_env.cli.headings import claims
from tests.test_against_reference import play_both


def counting(function: Callable[..., Any], calls: Counter[str], name: str) -> Callable[..., Any]:
    """The function, counting its calls under this name."""
    calls[name] = 0

    @wraps(function)
    def counted(*arguments: Any) -> Any:
        calls[name] += 1
        return function(*arguments)

    return counted


def count_calls() -> Counter[str]:
    """From now on, the calls of every claimed rule function are counted, wherever the package calls it."""
    calls: Counter[str] = Counter()
    for claim in claims():
        function = getattr(importlib.import_module(claim.module), claim.function)
        counted = counting(function, calls, f"{claim.module}.{claim.function}")
        for module in [module for name, module in sys.modules.items() if name.startswith("heartrush_env")]:
            for name, held in list(vars(module).items()):
                if held is function:
                    setattr(module, name, counted)
    return calls


def main(fights: int) -> Counter[str]:
    """The calls of each rule function in so many fights, or fewer if each has run by then."""
    calls = count_calls()
    for seed in range(fights):
        play_both(seed)
        if min(calls.values()) > 0:
            break
    return calls


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
