"""Bundles: folders with everything that another program needs to play an agent."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from safetensors.numpy import save

from heartrush_env.app.heart_rush.export.description import FORMAT, description
from heartrush_env.app.heart_rush.export.duel import why_not_played
from heartrush_env.app.heart_rush.export.page import MODULES, page, resource
from heartrush_env.app.heart_rush.export.policy import ExportError, Policy
from heartrush_env.app.heart_rush.export.vectors import vectors
from heartrush_env.tabletop.files import parse_json, read_file
from heartrush_env.tabletop.portable.files import MODULE, engine_files
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.writing import make_folder, reason

DESCRIPTION, WEIGHTS, VECTORS, README = "policy.json", "policy.safetensors", "vectors.json", "README.md"
PAGE, SCRIPT = "index.html", "heart_rush_policy.gd"
LARGEST_DESCRIPTION = 16 * 2**20  # bytes
NEEDS = "the target {} needs {}, which is not installed: pip install 'heartrush-env[export]'."
Contents = dict[str, bytes]


def _onnx(policy: Policy) -> Contents:
    from heartrush_env.app.heart_rush.export.graph import as_onnx

    return {"policy.onnx": as_onnx(policy)}


def _ml_agents(policy: Policy) -> Contents:
    from heartrush_env.app.heart_rush.export.graph import for_ml_agents

    return {"policy.onnx": for_ml_agents(policy)}


def _js(policy: Policy) -> Contents:
    own = {name: resource("js", name).encode() for name in MODULES}
    return own | engine_files({policy.game.scenario_name: policy.game})


def _godot(policy: Policy) -> Contents:
    return {SCRIPT: resource("godot", SCRIPT).encode()}


TARGETS: dict[str, Callable[[Policy], Contents]] = {
    "onnx": _onnx,
    "js": _js,
    "godot": _godot,
    "ml-agents": _ml_agents,
}


def write_bundle(policy: Policy, target: str, folder: Path) -> list[str]:
    """Write the bundle of a target and return the names of its files; a temporary folder is renamed into place.

    An earlier bundle in the folder is replaced.

    Raises:
        ExportError: The folder holds something else, a package is missing, or a file cannot be written.
    """
    _check_free(folder)
    contents = contents_of(policy, target)
    make_folder(folder.absolute().parent, ExportError)
    part = folder.absolute().with_name(f".{folder.absolute().name}.{os.getpid()}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        for name, content in contents.items():
            (part / name).write_bytes(content)
        _put_in_place(part, folder.absolute())
    except OSError as problem:
        raise ExportError(f"{folder}: the bundle cannot be written ({reason(problem)}).") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return list(contents)


def contents_of(policy: Policy, target: str) -> Contents:
    """Return the contents of a bundle's files by name, the description last."""
    try:
        contents = TARGETS[target](policy)
    except ModuleNotFoundError as missing:
        raise ExportError(NEEDS.format(target, missing.name)) from None
    contents[WEIGHTS] = save(policy.network.arrays(), metadata={"agent": policy.agent.id})
    if MODULE in contents and not why_not_played(policy.game):
        contents[PAGE] = page(description(policy, {}), contents[WEIGHTS], contents)
    contents[VECTORS] = as_json({"tolerance": 1e-5, "vectors": vectors(policy)})
    contents[README] = _readme(policy, target)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    contents[DESCRIPTION] = as_json(description(policy, digests), indent=1)
    return contents


def as_json(value: Any, indent: int | None = None) -> bytes:
    """Encode a value as one line of JSON, or as indented JSON."""
    return (json.dumps(value, indent=indent, allow_nan=False) + "\n").encode()


def _readme(policy: Policy, target: str) -> bytes:
    """Return the README of a bundle."""
    values = {
        "agent": policy.agent.id,
        "scenario": policy.game.scenario_name,
        "features": len(policy.game.feature_names),
        "actions": len(policy.game.action_names),
        "seat": policy.game.agents[-1],
        "page": _about_page(policy),
        "value": "" if policy.gives_value else " (this agent gives no value here)",
    }
    text = resource("readme", f"{target}.md") + "\n" + resource("readme", "all.md")
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text.encode()


def _about_page(policy: Policy) -> str:
    """Return what a JavaScript bundle's README says of the playable page."""
    reason = why_not_played(policy.game)
    if reason is None:
        return "Open `index.html` and fight: the page holds rules, network and weights, and needs no server."
    return f"There is no page to play on: {reason}."


def _check_free(folder: Path) -> None:
    """Raise ExportError if the folder holds anything but an earlier bundle."""
    if not os.path.lexists(folder):
        return
    if folder.is_dir() and not folder.is_symlink():
        if not any(folder.iterdir()):
            return
        with suppress(ValueError, ExportError):
            told = parse_json(read_file(folder / DESCRIPTION, LARGEST_DESCRIPTION, ExportError, "a bundle"))
            if isinstance(told, dict) and told.get("format") == FORMAT:
                return
    raise ExportError(
        f"--out: expected a new folder or an earlier bundle, got {show(str(folder))}, which holds other files."
    )


def _put_in_place(part: Path, folder: Path) -> None:
    """Move the written folder into place, replacing an earlier one."""
    old = part.with_suffix(".old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    try:
        part.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
