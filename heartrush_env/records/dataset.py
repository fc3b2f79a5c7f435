"""The conversion of many records to one Parquet file for learners, with a row for each decision.

Every record is replayed for this, so rows have the observations that the seats really had. Seats with a single legal
action are left out, and so are fallbacks for choices that could not be played. records/record.py reads records, and
records/replay.py replays them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from heartrush_env import __version__
from heartrush_env.records.record import Record, RecordError, read_record
from heartrush_env.records.replay import Moment, replay
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import tables_digest
from heartrush_env.tabletop.writing import replaced

if TYPE_CHECKING:
    import pyarrow

FORMAT: Final = "heartrush-decisions"
FORMAT_VERSION: Final = 1
ROWS_OF_A_GROUP: Final = 4096  # minimum; a fight is never split
SAME: Final = ("shape", "tables", "memory", "decisions", "control", "reward")  # equal in all records of a file


def write_dataset(path: str | PathLike[str], records: Iterable[str | PathLike[str]]) -> int:
    """Write the decisions of these records to one Parquet file, and return their number.

    The metadata of the file's schema describes the rows: format, version, the names of actions and features, and the
    facts that all records share. The file is replaced only once it is complete.

    Raises:
        RecordError: A record cannot be read, does not replay as written, or does not fit the previous records.
        HeartRushError: pyarrow is not installed, or there is no record.
    """
    _, parquet = _pyarrow()
    written = 0
    with replaced(path) as part:
        groups = _groups(records)
        first = next(groups, None)
        if first is None:
            raise HeartRushError("A dataset needs at least one record.")
        with parquet.ParquetWriter(part, first.schema, compression="zstd") as writer:
            for group in (first, *groups):
                writer.write_table(group, row_group_size=max(1, group.num_rows))
                written += group.num_rows
    return written


def _pyarrow() -> tuple[Any, Any]:
    """Import pyarrow, or raise an error that explains how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise HeartRushError("A dataset needs pyarrow: pip install 'heartrush-env[data]' installs it.") from None
    return pyarrow, pyarrow.parquet


def _groups(paths: Iterable[str | PathLike[str]]) -> Iterator[pyarrow.Table]:
    """Yield the rows of all records, in groups of whole fights."""
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
                    f"{path}, line 1: {key}: expected {shared[key]!r}, as in the records before it, got "
                    f"{common[key]!r}."
                )
        rows += _rows(record)
        if len(rows) >= ROWS_OF_A_GROUP:
            yield arrow.Table.from_pylist(rows, schema)
            rows = []
    if schema is not None:
        yield arrow.Table.from_pylist(rows, schema)


def _common(record: Record) -> dict[str, Any]:
    """Return the facts that all records of a file must share."""
    game = record.game
    facts = {**game.options, "tables": tables_digest(game)}
    return {key: facts[key] for key in SAME}


def _schema(record: Record, common: dict[str, Any]) -> Any:
    """Return the columns, with metadata that describes them."""
    arrow, _ = _pyarrow()
    game = record.game
    word = arrow.dictionary(arrow.int32(), arrow.string())
    columns = [
        ("record", word),  # the SHA-256 of the row's record, which identifies the fight
        ("scenario", word),
        ("seed", arrow.int64()),
        ("fight", arrow.int64()),  # the fight's number under the seed
        ("step", arrow.int32()),
        ("seat", word),
        ("agent", word),  # the player of the seat
        ("action", arrow.int32()),
        ("action_name", word),
        ("observation", arrow.list_(arrow.float32(), len(game.feature_names))),
        ("mask", arrow.list_(arrow.int8(), len(game.action_names))),
        ("return", arrow.float32()),  # the seat's rewards from this window on
        ("done", arrow.bool_()),  # whether it is the seat's last decision of the fight
    ]
    metadata = {
        "format": FORMAT,
        "version": str(FORMAT_VERSION),
        "heartrush_env": __version__,
        **{key: value if isinstance(value, str) else json.dumps(value) for key, value in common.items()},
        "actions": json.dumps(game.action_names),
        "features": json.dumps(game.feature_names),
    }
    return arrow.schema(columns, metadata=metadata)


def _rows(record: Record) -> list[dict[str, Any]]:
    """Return the decisions of one fight, in order; returns are summed from the end of the fight."""
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
    """Yield one row for each decision of a window; `to_come` holds each seat's rewards from this window on."""
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
