"""Commit and reveal: a choice is sealed before the other side shows its own, and opened afterwards.

Neither side need trust the other: nobody can read a choice from its seal, or find another choice that fits it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

NONCE_BYTES: Final = 16  # 32 hexadecimal digits


def new_nonce() -> str:
    """A number that nobody guesses, in hexadecimal digits: without it four stances would soon be tried out."""
    return secrets.token_hex(NONCE_BYTES)


def seal(choice: str, nonce: str) -> str:
    """The seal of a choice: the SHA-256 of nonce, colon, choice, in hexadecimal digits."""
    return hashlib.sha256(f"{nonce}:{choice}".encode()).hexdigest()


def fits(sealed: str, choice: str, nonce: str) -> bool:
    """Whether this is the choice that was sealed, and its nonce is as long as it must be."""
    is_nonce = len(nonce) == 2 * NONCE_BYTES and set(nonce) <= set("0123456789abcdef")
    return is_nonce and hmac.compare_digest(seal(choice, nonce).encode(), sealed.encode())
