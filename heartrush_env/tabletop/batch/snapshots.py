"""Snapshots: a fight converted to JSON-able data and back exactly, with every field by name and large numbers as text.

The fight's position in the round is given in words, flow by flow: {"flow": "engagement", "at": "stance"}. A snapshot
survives code changes that keep the names of flows, the names of their waits and the numbers that flows keep. Fields
that a later version has added (limits.py) may be missing; they then count as zero. Fields that a fight calculates when
it needs them are left out, so that equal positions have equal snapshots. A list may be longer than its field if the
excess items are blank: the records of duels once had room for eight fighters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

from heartrush_env.tabletop.errors import SnapshotError
from heartrush_env.tabletop.flow import Machine
from heartrush_env.tabletop.limits import limits_of

LARGEST_EXACT = 2**53  # up to this, JSON readers in other languages keep integers exactly
LONGEST_SHOWN = 40  # characters
_WHOLE = re.compile(r"-?[0-9]{1,20}")
_COUNTED = ("depth", "kept_count")  # the lengths of the two lists below; only their used part is written
_LISTS = ("frames", "kept")
NONE = -1  # stands for no fighter, no team or no choice


def as_data(fight: Any, machine: Machine, calculated: Collection[str] = ()) -> dict[str, Any]:
    """Return the fields of a fight's record, including the future dice: for the referee, never for an agent.

    The machine must be the one that plays the fight. The `calculated` fields are left out.
    """
    names = [name for name in fight.dtype.names or () if name not in (*_COUNTED, *_LISTS, *calculated)]
    kept = int(fight.kept_count), int(fight.n)
    return {
        **{name: _out(fight[name]) for name in names},
        "frames": machine.frames(fight),
        "kept": [[_out(fight.kept[level * kept[1] + i]) for i in range(kept[1])] for level in range(kept[0])],
    }


def _out(value: Any) -> Any:
    return _plain(value.dtype, value if isinstance(value, np.ndarray) else value.item())


def _plain(kind: np.dtype[Any], value: Any) -> Any:
    """Return the value as plain data: lists for arrays, objects for records, which NumPy returns as tuples."""
    if isinstance(value, np.ndarray):
        kind = value.dtype
        small = kind.names is None and kind.itemsize < 8
        return value.tolist() if small else [_plain(kind, item) for item in value.tolist()]
    if kind.names is not None:
        return {name: _plain(kind[name], item) for name, item in zip(kind.names, value, strict=True)}
    return str(value) if isinstance(value, int) and abs(value) >= LARGEST_EXACT else value


def from_data(
    data: Mapping[str, Any],
    machine: Machine,
    kind: np.dtype[Any],
    complete: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None,
    calculated: Mapping[str, int] = MappingProxyType({}),
) -> Any:
    """Return the record of a fight from its data; raise SnapshotError with the name of a field that does not fit.

    Args:
        data: The data.
        machine: The machine that plays the fight.
        kind: The dtype of the record.
        complete: Returns the data, completed with those fields that older snapshots lack and whose value is not zero.
        calculated: The fields that snapshots leave out, with the value that means "not calculated yet". Older snapshots
            have these fields; they are ignored.
    """
    fights = np.zeros(1, kind)
    fields = [name for name in kind.names or () if name not in (*_COUNTED, *calculated)]
    if isinstance(data, Mapping):
        data = {name: value for name, value in data.items() if name not in calculated}
    _check_names(fields, data, "position", _added(kind))
    if complete is not None:
        data = complete(data)
    for name in fields:
        if name not in _LISTS and name in data:
            fights[name][0] = np.array(_read(kind[name], data[name], f"position.{name}"), kind[name].base)
    for name in calculated.keys() & set(kind.names or ()):
        fights[name] = calculated[name]
    _read_frames(fights[0], data["frames"], machine)
    _read_kept(fights[0], data["kept"])
    return fights


def _read_frames(fight: Any, data: Any, machine: Machine) -> None:
    if not isinstance(data, list):
        raise SnapshotError(f"snapshot, position.frames: expected a list of flows, got {_show(data)}.")
    try:
        machine.put(fight, data)
    except ValueError as problem:
        raise SnapshotError(f"snapshot, position.frames: {problem}") from problem


def _read_kept(fight: Any, data: Any) -> None:
    n, most = max(1, int(fight.n)), len(fight.kept)
    if not isinstance(data, list) or not all(isinstance(level, list) for level in data):
        raise SnapshotError(f"snapshot, position.kept: expected a list of lists of choices, got {_show(data)}.")
    choices = [choice for level in data for choice in level]
    if any(len(level) != n for level in data) or len(choices) > most:
        raise SnapshotError(
            f"snapshot, position.kept: expected lists of {n} choices, at most {most} in total, got "
            f"{len(choices)} choices in {len(data)} lists."
        )
    for k, choice in enumerate(choices):
        fight.kept[k] = _read_record(fight.kept.dtype, choice, f"position.kept[{k // n}][{k % n}]")
    fight.kept_count = len(data)


def _read_record(dtype: np.dtype[Any], data: Any, where: str) -> tuple[Any, ...]:
    names = dtype.names or ()
    _check_names(names, data, where, _added(dtype))
    return tuple(
        _read(dtype[name], data[name], f"{where}.{name}") if name in data else np.zeros((), dtype[name]).tolist()
        for name in names
    )


def _added(kind: np.dtype[Any]) -> set[str]:
    """Return the fields of a record type that snapshots of earlier versions lack."""
    return {name for name, limits in limits_of(kind).items() if limits.added}


def _check_names(known: Iterable[str], data: Any, where: str, may_miss: Set[str] = frozenset()) -> None:
    if not isinstance(data, Mapping):
        raise SnapshotError(f"snapshot, {where}: expected an object with named fields, got {type(data).__name__}.")
    names = set(known)
    if wrong := sorted(names.symmetric_difference(data).difference(may_miss - data.keys()), key=str):
        allowed = ", ".join(sorted(names))
        raise SnapshotError(
            f"snapshot, {where}: expected the fields {allowed}, but {_show(wrong[0])} is missing or unknown."
        )


def _read(dtype: np.dtype[Any], data: Any, where: str) -> Any:
    """Return the data as NumPy takes it: a number, a list, or a tuple for a record."""
    if dtype.subdtype is not None:
        return _read_list(*dtype.subdtype, data, where)
    return _read_number(dtype, data, where) if dtype.names is None else _read_record(dtype, data, where)


def _read_list(item: np.dtype[Any], shape: tuple[int, ...], data: Any, where: str) -> list[Any]:
    if not isinstance(data, list) or len(data) < shape[0]:
        raise SnapshotError(f"snapshot, {where}: expected a list of {shape[0]}, got {_show(data)}.")
    values = _read_items(item, data, where)
    if not _is_blank(values[shape[0] :]):
        raise SnapshotError(f"snapshot, {where}: expected a list of {shape[0]}, got a list of {len(data)}.")
    return values[: shape[0]]


def _read_items(item: np.dtype[Any], data: list[Any], where: str) -> list[Any]:
    if item.kind in "iu" and all(type(value) is int for value in data):
        least, most = _limits(item)
        if least <= min(data) and max(data) <= most:
            return data
    return [_read(item, value, f"{where}[{k}]") for k, value in enumerate(data)]


def _is_blank(value: Any) -> bool:
    """Return whether the value, or every value in the list, is 0, False or NONE."""
    if isinstance(value, list | tuple):
        return all(map(_is_blank, value))
    return bool(value == 0 or value == NONE)


@cache
def _limits(dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the minimum and the maximum of an integer type."""
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def _read_number(dtype: np.dtype[Any], data: Any, where: str) -> Any:
    if dtype.kind == "b":
        if not isinstance(data, bool):
            raise SnapshotError(f"snapshot, {where}: expected true or false, got {_show(data)}.")
        return data
    if dtype.kind == "f":
        largest = float(np.finfo(dtype).max)
        if isinstance(data, bool) or not isinstance(data, int | float) or not -largest <= data <= largest:
            raise SnapshotError(f"snapshot, {where}: expected a number, got {_show(data)}.")
        return data
    if isinstance(data, str) and _WHOLE.fullmatch(data):
        data = int(data)
    least, most = _limits(dtype)
    if isinstance(data, bool) or not isinstance(data, int) or not least <= data <= most:
        allowed = f"a whole number from {least} to {most}"
        raise SnapshotError(f"snapshot, {where}: expected {allowed}, got {_show(data)}.")
    return data


def _show(value: Any) -> str:
    """Return the value on one line as found, or only its type if it is long."""
    if isinstance(value, int) and abs(value) >= 2**64:
        return "a number of more than 64 bits"
    shown = " ".join(repr(value).split())
    return shown if len(shown) <= LONGEST_SHOWN else type(value).__name__
