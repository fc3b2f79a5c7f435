"""The regular expression that matches all action names, as it is written into the starter kits in `clients/`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from heartrush_env.games.heart_rush.engine.offers import CHOICES
from heartrush_env.games.heart_rush.rules.choices import Target

WIDTH = 108
NOTE = "the names of all actions: `make docs` writes them"
PYTHON, JAVASCRIPT = "python/engine.py", "javascript/engine.mjs"
# The block that is replaced in each kit.
BLOCKS = {
    PYTHON: re.compile(r"KNOWN = re\.compile\(.*?\n\)\n", re.DOTALL),
    JAVASCRIPT: re.compile(r"const KNOWN = new RegExp\(.*?\n\);\n", re.DOTALL),
}


def pattern() -> str:
    """Return a regular expression that matches exactly the action names of fights without a map."""
    groups: dict[str, list[str]] = {}
    for choice in CHOICES:
        if choice.needs is None:
            place = "" if choice.target == Target.NOBODY else " [0-9]+"
            groups.setdefault(place + _details(choice.details.values()), []).append(choice.name)
    return "|".join(f"{_one_of(names)}{rest}" if rest else "|".join(names) for rest, names in groups.items())


def _details(details: Iterable[str]) -> str:
    """Return a pattern for the details that may follow an action's name and target number."""
    found = list(details)
    words = list(dict.fromkeys(word.removesuffix("rush").strip() for word in found if word not in ("", "rush")))
    parts = _one_of(dict.fromkeys(part for word in words for part in word.split("+")))
    rest = f" {parts}([+]{parts})?" if any("+" in word for word in words) else f" {parts}" if words else ""
    rest = f"({rest})?" if rest and "" in found else rest
    return rest + "( rush)?" * any(word.endswith("rush") for word in found)


def _one_of(words: Iterable[str]) -> str:
    found = list(words)
    return found[0] if len(found) == 1 else f"({'|'.join(found)})"


def written_kits(clients: Path) -> dict[Path, str]:
    """Return, by path, the correct content of each kit that exists."""
    lines = _lines(pattern())
    blocks = {
        PYTHON: "".join([f"KNOWN = re.compile(  # {NOTE}\n", *(f'    "{line}"\n' for line in lines), ")\n"]),
        JAVASCRIPT: f"const KNOWN = new RegExp( // {NOTE}\n"
        + " +\n".join(f'  "{line}"' for line in _lines(f"^({pattern()})$"))
        + ",\n);\n",
    }
    kits = {}
    for name, block in BLOCKS.items():
        path = clients / name
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            kits[path] = text.replace(block.findall(text)[0], blocks[name]) if block.search(text) else text
    return kits


def _lines(text: str) -> list[str]:
    """Split the pattern into lines, breaking before bars."""
    lines = [""]
    for part in re.split(r"(?=\|)", text):
        if len(lines[-1]) + len(part) > WIDTH:
            lines.append("")
        lines[-1] += part
    return lines
