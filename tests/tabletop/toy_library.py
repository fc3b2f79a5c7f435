"""A library of one small kernel, which `main` builds in a folder."""

from __future__ import annotations

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


def main(folder: Path) -> None:
    """Build the library, and print its folder's name and its kernels."""
    from heartrush_env.tabletop.compiling.building import build_libraries

    for path, names in build_libraries(folder, play).items():
        print(path.parent.name, *names)
