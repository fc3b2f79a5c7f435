"""Two packages with small kernels, whose libraries `main` builds in a folder."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from heartrush_env.tabletop.kernels import kernel
from tests.outside_game.kernel import pay


@kernel
def multiply(numbers, factor):
    """Multiply all numbers."""
    for k in range(len(numbers)):
        numbers[k] *= factor


@kernel
def double(slots, numbers, autoreset):
    """Double the numbers of these slots; its parameters are those of kernels that a GPU plays."""
    for k in range(len(slots)):
        numbers[slots[k]] *= 2


def play() -> None:
    """Call all kernels, so that the libraries hold them."""
    multiply(np.arange(3), 2)
    double(np.arange(1), np.arange(3), True)
    pay(np.array([[1, 2]]), np.zeros((1, 2), np.float32))


def main(folder: Path, platforms: Sequence[str] = ()) -> None:
    """Build the libraries; print the name of each library's folder and its kernels."""
    from heartrush_env.tabletop.compiling.building import build_libraries

    for path, names in build_libraries(folder, play, platforms).items():
        print(path.parent.name, *names)
