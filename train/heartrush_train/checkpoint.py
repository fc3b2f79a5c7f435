"""Checkpoints: tensors and facts in one file that is written completely or not at all.

A checkpoint is a safetensors file with JSON in its metadata, so reading one runs no code. It is written to a temporary
file and renamed, so that an interruption at any moment leaves either the old or the new checkpoint.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

from heartrush_env.tabletop.files import read_file
from heartrush_env.tabletop.writing import replace_file
from heartrush_train.config import TrainingError

FORMAT, FORMAT_VERSION = "heartrush-checkpoint", 2
LARGEST_FILE = 2**32  # bytes
Tensors = dict[str, torch.Tensor]


def write(path: Path, tensors: Mapping[str, torch.Tensor], facts: Mapping[str, Any]) -> None:
    """Write a checkpoint, replacing any earlier one."""
    head = {"format": FORMAT, "version": FORMAT_VERSION, **facts}
    content = save({name: tensor.contiguous() for name, tensor in tensors.items()}, {"facts": json.dumps(head)})
    replace_file(path, content, TrainingError)


def read(path: Path) -> tuple[Tensors, dict[str, Any]]:
    """Return the tensors and the facts of a checkpoint.

    Raises:
        TrainingError: The file is missing, damaged or of a different version.
    """
    content = read_file(path, LARGEST_FILE, TrainingError, "a checkpoint")
    try:
        tensors = load(content)  # also validates the header, whose length is in the first 8 bytes
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        facts = json.loads(header.get("__metadata__", {}).get("facts", "null"))
    except (SafetensorError, ValueError, KeyError, RecursionError) as error:
        raise TrainingError(f"{path}: not a checkpoint, or a damaged one ({error}); start over with --fresh.") from None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT or facts.get("version") != FORMAT_VERSION:
        raise TrainingError(f"{path}: not a checkpoint of version {FORMAT_VERSION}; start over with --fresh.")
    return tensors, facts


def part(tensors: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return the tensors whose names begin with `prefix.`, with the prefix removed."""
    return {
        name.removeprefix(f"{prefix}."): tensor for name, tensor in tensors.items() if name.startswith(f"{prefix}.")
    }


def prefixed(prefix: str, tensors: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tensors with `prefix.` before their names."""
    return {f"{prefix}.{name}": tensor for name, tensor in tensors.items()}


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> Tensors:
    """Return the moments of an optimizer, named by the parameter's index and the moment's name."""
    found = optimizer.state_dict()["state"]
    return {f"{place}.{name}": value for place, moments in found.items() for name, value in moments.items()}


def restore_optimizer(optimizer: torch.optim.Optimizer, tensors: Tensors) -> None:
    """Restore an optimizer's moments from the output of `optimizer_tensors`."""
    moments: dict[int, Tensors] = {}
    for name, value in tensors.items():
        place, what = name.split(".")
        moments.setdefault(int(place), {})[what] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": moments})
