"""Cards, which hold agents' measurements as JSON. A trained agent has another card with its weights, on its training.

Cards of shipped agents are in cards/; cards of trained agents are `measured.json` in their folders. They are data,
written by `heartrush agent card --measure`, never by hand. Results of tournaments of shipped agents are in ratings/.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from heartrush_agents.base import AgentError, read_object
from heartrush_agents.learned.agent import CARD, shipped
from heartrush_agents.registry import available, load, unlisted
from heartrush_env.tabletop.text import show

FORMAT, FORMAT_VERSION = "heartrush-agent-card", 1
MEASURED = "measured.json"
LARGEST = 2**20  # bytes
NEEDED = "a file that `heartrush agent card --measure` or `heartrush rate --out` wrote"


def card_file(id: str) -> Path:
    """Return the path of an agent's card, which may not exist yet.

    Args:
        id: The id of an agent of the package, or the folder of a trained agent.
    """
    if id in (*available(), *unlisted()):
        return Path(str(files("heartrush_agents") / "cards" / f"{id}.json"))
    load(id)
    if not (Path(id) / CARD).is_file():
        raise AgentError(
            f"Expected an agent of the package or the folder of a trained agent, got {id!r}, "
            "which has no card of its own."
        )
    return Path(id) / MEASURED


def thinks_by_the_clock(id: str) -> bool:
    """Return whether an agent's choices depend on machine speed, so that its figures cannot be reproduced."""
    return "think_ms" in load(id).arguments


def weights_of(id: str) -> Path | None:
    """Return the folder of an agent's weights and training card, or None for an agent without weights."""
    rooms = {path.name: path for path in Path(__file__).parent.glob("*/weights/*")}  # of games with agents of their own
    folder = {**rooms, **shipped()}.get(id, Path(id))
    return folder if (folder / CARD).is_file() else None


def measured_ids() -> tuple[str, ...]:
    """Return the ids of the package's agents that have a card, in the order of `available()`."""
    return tuple(id for id in available() if card_file(id).is_file())


def read_measured(id: str) -> dict[str, Any]:
    """Return the card of an agent.

    Raises:
        AgentError: The agent has no card, or the file is damaged.
    """
    path = card_file(id)
    if not path.is_file():
        raise AgentError(f"{id!r} has no card yet; `heartrush agent card {id} --measure` makes it.")
    card = read_object(path, LARGEST, NEEDED)
    if (card.get("format"), card.get("version")) != (FORMAT, FORMAT_VERSION):
        raise AgentError(
            f"{path}: expected {NEEDED}, with format {FORMAT} and version {FORMAT_VERSION}, got "
            f"{show(card.get('format'))} and {show(card.get('version'))}."
        )
    return card


def ratings() -> list[dict[str, Any]]:
    """Return the tournaments of the shipped agents, in the format of `Tournament.as_dict`."""
    folder = Path(str(files("heartrush_agents") / "ratings"))
    return [read_object(path, LARGEST, NEEDED) for path in sorted(folder.glob("*.json"))]
