"""The msgspec names that message modules use.

msgspec is an optional extra; without it, importing this module raises an error that says how to install it.
"""

from __future__ import annotations

from typing import Annotated, Final

from heartrush_env.tabletop.errors import HeartRushError

try:
    import msgspec
    from msgspec import Meta, Struct, field
except ImportError:
    raise HeartRushError(
        "The engine protocol needs msgspec, which is not installed: pip install 'heartrush-env[protocol]'."
    ) from None

__all__ = ["MAX_SEED", "Meta", "Name", "Natural", "Struct", "field", "msgspec"]

MAX_NAME: Final = 128  # characters of a name of a seat, an action, an option, ...
MAX_SEED: Final = 2**63 - 1

Name = Annotated[str, Meta(max_length=MAX_NAME)]
Natural = Annotated[int, Meta(ge=0, le=MAX_SEED)]
