"""Commit and reveal: a choice is sealed before the other side shows its own, and opened afterwards.

Neither side needs to trust the other: a seal does not disclose its choice, and no other choice fits it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

NONCE_BYTES: Final = 16  # 32 hexadecimal digits


def new_nonce() -> str:
    """Return a random nonce in hexadecimal; without it, a seal could be broken by trying the four stances."""
    return secrets.token_hex(NONCE_BYTES)


def seal(choice: str, nonce: str) -> str:
    """Return the seal of a choice: the SHA-256 of nonce, colon, choice, in hexadecimal digits."""
    return hashlib.sha256(f"{nonce}:{choice}".encode()).hexdigest()


def fits(sealed: str, choice: str, nonce: str) -> bool:
    """Return whether a seal matches this choice and a nonce of the required length."""
    is_nonce = len(nonce) == 2 * NONCE_BYTES and set(nonce) <= set("0123456789abcdef")
    return is_nonce and hmac.compare_digest(seal(choice, nonce).encode(), sealed.encode())
