"""Markdown: tables, and pages whose marked blocks are filled in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

# A block of a page. Its two comments are on lines of their own; otherwise Markdown would treat them as text.
BLOCK = re.compile(r"(<!-- ([\w-]+):begin -->\n)(.*?)(<!-- \2:end -->)", re.DOTALL)
BAR = "\\|"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    return [f"| {' | '.join(cell.replace('|', BAR) for cell in row)} |" for row in (head, ["---"] * len(head), *rows)]


def filled(text: str, blocks: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with new content in the blocks that `blocks` names; its other blocks stay as they are."""

    def fill(found: re.Match[str]) -> str:
        begin, name, old, end = found.groups()
        return f"{begin}{blocks[name]() if name in blocks else old}{end}"

    return BLOCK.sub(fill, text)


def lines(found: Sequence[str]) -> str:
    """Join lines into the content of a block."""
    return "\n".join(found) + "\n"
