"""A library of one small kernel: python -m tests.tabletop.toy_library FOLDER builds it there."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from heartrush_env.tabletop.kernels import kernel


@kernel
def multiply(numbers, factor):
    """Multiply all numbers."""
    for k in range(len(numbers)):
        numbers[k] *= factor


def play() -> None:
    """All that the library is for."""
    multiply(np.arange(3), 2)


if __name__ == "__main__":
    from heartrush_env.tabletop.compiling.building import build_library

    print(*build_library(Path(sys.argv[1]), play))
