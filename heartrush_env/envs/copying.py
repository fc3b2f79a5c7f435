"""Independent copies of environments, so that two environments never play one fight."""

from __future__ import annotations

from copy import deepcopy
from typing import Self


class CopiedWhole:
    """Makes `copy.copy` copy everything, as `copy.deepcopy` does; a shallow copy would play the same fights."""

    def __copy__(self) -> Self:
        """Return a copy that shares nothing with this environment."""
        return deepcopy(self)
