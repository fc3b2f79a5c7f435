"""The names that the protocol imports from msgspec, an extra, with an error that says how to install it."""

from __future__ import annotations

from heartrush_env.tabletop.errors import HeartRushError

try:
    import msgspec
    from msgspec import Meta, Struct, field
except ImportError:
    raise HeartRushError(
        "The engine protocol needs msgspec, which is not installed: pip install 'heartrush-env[protocol]'."
    ) from None

__all__ = ["Meta", "Struct", "field", "msgspec"]
