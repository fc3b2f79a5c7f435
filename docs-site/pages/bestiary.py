"""The stat blocks of all monsters in the book's format, grouped by source, for docs/bestiary.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from heartrush_env.games.heart_rush.rules.terms import ABILITIES
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import abilities
from heartrush_env.games.heart_rush.scenario.stat_blocks import head, sheet_of
from heartrush_env.tabletop.validate import join_or
from pages.markdown import lines, table

SECTIONS = (
    # title, origin, tiers, description
    ("The game master's guide", "rulebook", ("elite",), ""),
    ("The publisher's examples", "generator", ("minion", "elite", "boss", "part"), ""),
    ("Templates", "rulebook", ("template",),
     "Frames from the guide, for monsters of your own. Where the guide leaves a choice of two dice, these have the "
     "smaller."),
    ("Companions", "rulebook", ("companion",),
     "Servants and animals of characters. They strike with their own weapon, because no bonuses are printed."),
    ("Ours", "ours", ("minion", "standard", "elite", "boss", "part"),
     "These stand in no book. They were made for this package from the guide's templates, tiers and sample abilities."),
)  # fmt: skip


def bestiary() -> str:
    """Return the page's content: all stat blocks, the creatures that fights cannot play yet, and the tiers."""
    blocks = [catalog.stat_block(id) for id in catalog.monsters()]
    found: list[str] = []
    for title, origin, tiers, about in SECTIONS:
        found += [f"## {title}", "", *([about, ""] if about else [])]
        for tier in tiers:
            for block in blocks:
                if (block["origin"], block["tier"]) == (origin, tier):
                    found += [*_block(block), ""]
    return lines([*found, *_waiting(), "", *_tiers()])


def _block(block: Mapping[str, Any]) -> list[str]:
    """Return one monster's lines: the stat block, a list of its abilities, and the features that fights leave out."""
    speed = [] if block["speed"] == catalog.BASE_SPEED else [f"Speed {block['speed']} ft"]
    known = [abilities()[id] for id in block["abilities"]]
    tier = "" if block["tier"] in ("template", "companion") else f", {block['tier']}"
    listed = [f"- **{entry.name}** (`{entry.id}`): {entry.effect}" for entry in known]
    left_out = join_or(_left_out(block), "and")
    return [
        f"### {block['name']}",
        "",
        f"`{block['id']}`{tier}{', ours' * (block['origin'] == 'ours')}",
        "",
        "```text",
        *head(sheet_of(block["id"])),
        *speed,
        "```",
        *([""] if listed else []),
        *listed,
        *_parts(block),
        *(["", block["note"]] if "note" in block else []),
        *(["", f"Not played yet: {left_out}."] if left_out != "none" else []),
    ]


def _parts(block: Mapping[str, Any]) -> Iterable[str]:
    """Yield a sentence for each kind of body part that a creature has."""
    for id, (standing, whole) in block.get("parts", {}).items():
        yield from ("", f"It comes with {standing} of `{id}`, and has at most {whole}.")


def _left_out(block: Mapping[str, Any]) -> Iterable[str]:
    """Yield the features of a stat block that fights leave out, apart from abilities."""
    if "rest" in block:
        yield block["rest"]


def _waiting() -> list[str]:
    """Return the section on creatures that fights cannot play yet."""
    rows = [
        [
            block["name"],
            block["size"],
            "/".join(str(block.get(ability, "-")) for ability in ABILITIES),
            str(block.get("heart", "-")),
            str(block["hp"]),
            str(block["speed"]),
            block["waits"],
        ]
        for block in catalog.data("monsters.toml")["waiting"]
    ]
    about = "Creatures that `from` does not know, with the figures that are printed and the part that is missing."
    return ["## Not playable yet", "", about, "", *table(_WAITING, rows)]


_WAITING = ("creature", "size", "dice", "HD", "HP", "speed", "missing")


def _tiers() -> list[str]:
    """Return the section on the ranges of the tiers."""
    rows = [[name, *(_range(tier[key]) for key in _RANGES)] for name, tier in catalog.tiers().items()]
    return [
        "## Tiers",
        "",
        "The guide's ranges. `heartrush check` holds monsters against them. Only minions may be never wounded.",
        "",
        *table(("tier", "hit points", "wound threshold", "abilities", "damage of a hit"), rows),
    ]


_RANGES = ("hp", "wound_threshold", "abilities", "damage")


def _range(ends: tuple[int, int]) -> str:
    """Describe a range in words; 0 stands for an open end."""
    low, high = ends
    if not low and not high:
        return "-"
    return str(low) if low == high else f"{low} or more" if not high else f"{low} to {high}"
