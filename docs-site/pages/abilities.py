"""Tables for docs/abilities.md: talents, legacy abilities and monster abilities, and whether fights play them."""

from __future__ import annotations

from collections.abc import Iterator

from heartrush_env.games.heart_rush.abilities.coverage import coverage, implemented_ids, left_out
from heartrush_env.games.heart_rush.scenario.abilities import LEGACY, MONSTERS, TALENTS, AbilityEntry, abilities
from heartrush_env.tabletop.validate import join_or
from pages.markdown import lines, table

CHAPTERS = {
    TALENTS: "A destiny version adds to the base version unless it says otherwise.",
    LEGACY: "X is the number of rush points spent on the use.",
    MONSTERS: "[The bestiary](bestiary.md) has the monsters.",
}
_TITLES = {"generator": "The publisher's examples", "rulebook": "The game master's guide"}  # of monster abilities
_EDITIONS = {"june2025": "June 2025 only", "december2025": "December 2025 only"}


def ability_tables() -> str:
    """Return one table for each kind of ability, under headings that name the chapter and the kind."""
    known, played = abilities(), implemented_ids()
    found: list[str] = []
    counts = {(line.chapter, line.kind): line for line in coverage(played)}
    for chapter, about in CHAPTERS.items():
        found += [f"## {chapter}", "", about, ""]
        entries = [entry for entry in known.values() if entry.chapter == chapter]
        for kind in dict.fromkeys(entry.kind for entry in entries):
            of_kind = [entry for entry in entries if entry.kind == kind]
            count = counts.get((chapter, kind))
            found += [f"### {_TITLES.get(kind, kind.replace('_', ' ').capitalize())}", ""]
            found += [f"{count.implemented} of {count.total} are played.", ""] if count else []
            found += [*_table(of_kind, played), ""]
    return lines(found[:-1])


def _table(entries: list[AbilityEntry], played: set[str]) -> list[str]:
    """Return a table of abilities of one kind, without columns that would be empty."""
    columns = {
        "ability": [f"{entry.name} `{entry.id}`" for entry in entries],
        "played": [_played(entry, played) for entry in entries],
        "use": [", ".join(_use(entry)) for entry in entries],
        "effect": [entry.effect for entry in entries],
        "destiny version": [entry.destiny for entry in entries],
        "needs": [join_or(_needs(entry), "and") if any(_needs(entry)) else "" for entry in entries],
    }
    shown = {head: cells for head, cells in columns.items() if any(cells)}
    return table(list(shown), [list(row) for row in zip(*shown.values(), strict=True)])


def _use(entry: AbilityEntry) -> Iterator[str]:
    yield entry.frequency
    if entry.instant:
        yield "instant"
    if entry.uses_action:
        yield "action"
    if entry.edition:
        yield _EDITIONS[entry.edition]


def _needs(entry: AbilityEntry) -> Iterator[str]:
    """Yield the requirements of an ability, in words."""
    needs = entry.requires
    yield from (f"`{id}`" for id in needs.get("all_of", ()))
    if "one_of" in needs:
        yield join_or(f"`{id}`" for id in needs["one_of"])
    yield from (f"{ability} d{die}" for ability, die in needs.get("dice", {}).items())
    if "bloodmark" in needs:
        yield f"bloodmark {needs['bloodmark']}"
    if "shield" in needs:
        yield "a shield"
    if "words" in needs:
        yield needs["words"]


def _played(entry: AbilityEntry, played: set[str]) -> str:
    if entry.outside:
        return f"never: {entry.outside}"
    if entry.id in left_out():
        return f"in part: not {left_out()[entry.id]}"
    return "yes" if entry.id in played else ""
