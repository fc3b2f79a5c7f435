"""Many records as one Parquet file for learners: a row for each decision.

Every record is played again on the way, so that a row holds what the seat really saw. Left out: seats with one legal
action, and stand-ins for choices that could not be played. Not here: how a record is read and played.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from heartrush_env import __version__
from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.game import tables_digest
from heartrush_env.core.writing import replaced
from heartrush_env.records.record import Record, RecordError, read_record
from heartrush_env.records.replay import Moment, replay

if TYPE_CHECKING:
    import pyarrow

FORMAT: Final = "heartrush-decisions"
FORMAT_VERSION: Final = 1
ROWS_OF_A_GROUP: Final = 4096  # at least; a fight is never divided
SAME: Final = ("shape", "tables", "memory", "decisions", "control", "reward")  # in all records of a file


def write_dataset(path: str | PathLike[str], records: Iterable[str | PathLike[str]]) -> int:
    """Write the decisions of these records into one Parquet file, and return how many there are.

    Its schema's metadata say what the rows mean: format, version, the names of actions and features, and what all
    records have in common. Under the name of the file there is only ever the whole of it, or what was there before.

    Raises:
        RecordError: a record cannot be read or goes another way, or does not fit the ones before it.
        HeartRushError: pyarrow is not installed, or there is no record.
    """
    _, parquet = _pyarrow()
    written = 0
    with replaced(path) as part:
        groups = _groups(records)
        first = next(groups, None)
        if first is None:
            raise HeartRushError("There is no record to make a dataset of, needed: at least one.")
        with parquet.ParquetWriter(part, first.schema, compression="zstd") as writer:
            for group in (first, *groups):
                writer.write_table(group, row_group_size=max(1, group.num_rows))
                written += group.num_rows
    return written


def _pyarrow() -> tuple[Any, Any]:
    """The library that writes Parquet, if it is there."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise HeartRushError("A dataset needs pyarrow: pip install 'heartrush-env[data]' installs it.") from None
    return pyarrow, pyarrow.parquet


def _groups(paths: Iterable[str | PathLike[str]]) -> Iterator[pyarrow.Table]:
    """The rows of all records, so many fights at a time as fill a group."""
    arrow, _ = _pyarrow()
    shared: dict[str, Any] = {}
    schema: Any = None
    rows: list[dict[str, Any]] = []
    for path in paths:
        record = read_record(path)
        common = _common(record)
        if schema is None:
            shared, schema = common, _schema(record, common)
        for key in SAME:
            if common[key] != shared[key]:
                raise RecordError(
                    f"{path}, line 1: {key} is {common[key]!r}, but in the records before it {shared[key]!r}, "
                    "allowed: one and the same."
                )
        rows += _rows(record)
        if len(rows) >= ROWS_OF_A_GROUP:
            yield arrow.Table.from_pylist(rows, schema)
            rows = []
    if schema is not None:
        yield arrow.Table.from_pylist(rows, schema)


def _common(record: Record) -> dict[str, Any]:
    """What all records of a file must share."""
    game = record.game
    facts = {**game.options, "tables": tables_digest(game)}
    return {key: facts[key] for key in SAME}


def _schema(record: Record, common: dict[str, Any]) -> Any:
    """The columns, with what they mean."""
    arrow, _ = _pyarrow()
    game = record.game
    word = arrow.dictionary(arrow.int32(), arrow.string())
    columns = [
        ("record", word),  # the SHA-256 of the record that the row is from: the fight's id
        ("scenario", word),
        ("seed", arrow.int64()),
        ("fight", arrow.int64()),  # its number under the seed
        ("step", arrow.int32()),
        ("seat", word),
        ("agent", word),  # who played the seat
        ("action", arrow.int32()),
        ("action_name", word),
        ("observation", arrow.list_(arrow.float32(), len(game.feature_names))),
        ("mask", arrow.list_(arrow.int8(), len(game.action_names))),
        ("return", arrow.float32()),  # what the seat is paid from this window on
        ("done", arrow.bool_()),  # it is the seat's last decision of the fight
    ]
    told = {
        "format": FORMAT,
        "version": str(FORMAT_VERSION),
        "heartrush_env": __version__,
        **{key: value if isinstance(value, str) else json.dumps(value) for key, value in common.items()},
        "actions": json.dumps(game.action_names),
        "features": json.dumps(game.feature_names),
    }
    return arrow.schema(columns, metadata=told)


def _rows(record: Record) -> list[dict[str, Any]]:
    """The decisions of one fight, in order; its rewards are summed from behind."""
    rows: list[dict[str, Any]] = []
    to_come = dict.fromkeys(record.game.agents, 0.0)
    for moment in reversed(list(replay(record))):
        for agent, reward in moment.rewards.items():
            to_come[agent] += reward
        rows += reversed(list(_decisions(record, moment, to_come)))
    rows.reverse()
    last = {row["seat"]: place for place, row in enumerate(rows)}
    for place in last.values():
        rows[place]["done"] = True
    return rows


def _decisions(record: Record, moment: Moment, to_come: dict[str, float]) -> Iterator[dict[str, Any]]:
    """The rows of one window."""
    for agent, action in moment.actions.items():
        seen = moment.observations[agent]
        if np.count_nonzero(seen["action_mask"]) < 2:
            continue
        yield {
            "record": record.sha256,
            "scenario": record.game.scenario_name,
            "seed": record.seed,
            "fight": record.fight,
            "step": moment.step.number,
            "seat": agent,
            "agent": record.seats[agent]["agent"],
            "action": action,
            "action_name": record.game.action_names[action],
            "observation": seen["observation"],
            "mask": seen["action_mask"],
            "return": to_come[agent],
            "done": False,
        }
