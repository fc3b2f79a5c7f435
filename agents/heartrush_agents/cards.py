"""Cards: what was measured of an agent, as JSON, apart from how it was trained, which its weights' own card says.

Cards of shipped agents lie in cards/, those of trained agents as `measured.json` in their folders. They are data,
written by `heartrush card --measure`, never by hand. Results of tournaments of shipped agents lie in ratings/.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from heartrush_agents.base import AgentError
from heartrush_agents.learned.agent import CARD, shipped
from heartrush_agents.registry import available, load
from heartrush_env.core.files import parse_json, read_file

FORMAT, FORMAT_VERSION = "heartrush-agent-card", 1
MEASURED = "measured.json"
LARGEST = 2**20  # bytes
NEEDED = "a file that `heartrush card --measure` or `heartrush rate --out` wrote"


def card_file(id: str) -> Path:
    """The file of an agent's card, which may not exist yet.

    Args:
        id: The id of an agent of the package, or the folder of a trained one.
    """
    if id in available():
        return Path(str(files("heartrush_agents") / "cards" / f"{id}.json"))
    load(id)
    if not (Path(id) / CARD).is_file():
        raise AgentError(f"{id!r} has no card of its own, allowed: an agent of the package or a trained folder.")
    return Path(id) / MEASURED


def thinks_by_the_clock(id: str) -> bool:
    """Whether an agent's choices depend on how fast the machine is, so that its figures cannot be measured again."""
    return "think_ms" in load(id).arguments


def weights_of(id: str) -> Path | None:
    """The folder of an agent's weights and training card; None for an agent without weights."""
    folder = shipped().get(id, Path(id))
    return folder if (folder / CARD).is_file() else None


def measured_ids() -> tuple[str, ...]:
    """The agents of the package that have a card, in the order of the list."""
    return tuple(id for id in available() if card_file(id).is_file())


def read_measured(id: str) -> dict[str, Any]:
    """The card of an agent.

    Raises:
        AgentError: The agent has none, or the file is damaged.
    """
    path = card_file(id)
    if not path.is_file():
        raise AgentError(f"{id!r} has no card yet; `heartrush card {id} --measure` makes it.")
    card = _read(path)
    if (card.get("format"), card.get("version")) != (FORMAT, FORMAT_VERSION):
        raise AgentError(f"{path}: found no {FORMAT} of version {FORMAT_VERSION}, allowed: {NEEDED}.")
    return card


def ratings() -> list[dict[str, Any]]:
    """The tournaments of the shipped agents, as `Tournament.as_dict` gives them."""
    folder = Path(str(files("heartrush_agents") / "ratings"))
    return [_read(path) for path in sorted(folder.glob("*.json"))]


def _read(path: Path) -> dict[str, Any]:
    try:
        found = parse_json(read_file(path, LARGEST, AgentError, NEEDED))
    except ValueError as problem:
        raise AgentError(f"{path}: it is not JSON ({problem}), allowed: {NEEDED}.") from None
    if not isinstance(found, dict):
        raise AgentError(f"{path}: it holds no object, allowed: {NEEDED}.")
    return found
