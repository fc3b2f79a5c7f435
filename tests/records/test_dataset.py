"""Records as rows for learners: what each row contains, and what is refused."""

import builtins
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env import __version__
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.records import dataset
from heartrush_env.records.dataset import write_dataset
from heartrush_env.records.record import RecordError
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import tables_digest
from tests.records.recorded import SHORT, record, write

parquet = pytest.importorskip("pyarrow.parquet", reason="datasets need the extra `data`")


def recorded(folder: Path, game: HeartRush, fights: int, **how: Any) -> list[Path]:
    return [record(game, 7, fight, **how)[0].write(folder / f"{fight}.hrr") for fight in range(fights)]


def test_a_row_is_a_decision_and_holds_what_was_seen(tmp_path: Path) -> None:
    """The expected rows come from a second run of the fight, without the module under test."""
    game = HeartRush("duel", reward="hp_change")
    (path,) = recorded(tmp_path, game, 1, stand_ins=0.2)
    rows = write_dataset(tmp_path / "out.parquet", [path])
    table = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert len(table) == rows
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    env = ParallelFights(game)
    observations, _ = env.reset(seed=7, options={"fight": 0})
    expected, paid = [], []
    for step in lines[2:-1]:
        for agent, action in step["actions"].items():
            expected.append((step["step"], agent, action, observations[agent]))
        actions = {agent: game.action_names.index(action) for agent, action in step["actions"].items()}
        for agent in env.agents:
            if agent not in actions and agent not in step.get("fallback", []):
                (actions[agent],) = np.flatnonzero(observations[agent]["action_mask"])
        observations, rewards, *_ = env.step(actions)
        paid.append(rewards)
    assert rows == len(expected) > 20
    for row, (step, agent, action, seen) in zip(table, expected, strict=True):
        assert (row["step"], row["seat"], row["action_name"]) == (step, agent, action)
        assert game.action_names[row["action"]] == action
        assert (row["agent"], row["scenario"], row["seed"], row["fight"]) == ("random", "duel", 7, 0)
        assert row["record"] == lines[-1]["sha256"]
        assert np.array_equal(np.array(row["observation"], np.float32), seen["observation"])
        assert row["mask"] == seen["action_mask"].tolist()
        assert row["return"] == pytest.approx(sum(rewards[agent] for rewards in paid[step:]), abs=1e-5)
        assert row["done"] == (not [later for later in expected if later[0] > step and later[1] == agent])
    assert sum(row["done"] for row in table) == 2


def test_the_schema_says_what_the_rows_mean(tmp_path: Path) -> None:
    game = HeartRush("duel", decisions="stance", memory=2)
    write_dataset(tmp_path / "out.parquet", recorded(tmp_path, game, 1))
    schema = parquet.read_schema(tmp_path / "out.parquet")
    told = {key.decode(): value.decode() for key, value in schema.metadata.items()}
    assert json.loads(told.pop("actions")) == list(game.action_names)
    assert json.loads(told.pop("features")) == list(game.feature_names)
    told.pop("ARROW:schema", None)
    assert told == {
        "format": "heartrush-decisions", "version": "1", "heartrush_env": __version__, "tables": tables_digest(game),
        "shape": "duel", "memory": "2", "decisions": "stance", "control": "fighter", "reward": "win",
    }  # fmt: skip
    assert schema.field("observation").type.list_size == len(game.feature_names)
    assert schema.field("mask").type.list_size == len(game.action_names)


def test_many_records_are_written_a_group_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = recorded(tmp_path, HeartRush(**SHORT), 7)
    monkeypatch.setattr(dataset, "ROWS_OF_A_GROUP", 10)
    assert write_dataset(tmp_path / "out.parquet", iter(paths)) == 7 * 3 * 2
    file = parquet.ParquetFile(tmp_path / "out.parquet")
    assert [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)] == [12, 12, 12, 6]
    table = file.read().to_pylist()
    assert [row["fight"] for row in table] == [fight for fight in range(7) for _ in range(6)]
    assert len({row["record"] for row in table}) == 7


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"scenario": "brawl"}, "shape: expected 'duel', as in the records before it, got 'team'"),
        ({"memory": 2}, "memory: expected None, as in the records before it, got 2"),
        ({"decisions": "full"}, "decisions: expected 'stance', as in the records before it, got 'full'"),
        ({"control": "team"}, "control: expected 'fighter', as in the records before it, got 'team'"),
        ({"reward": "hp_margin"}, "reward: expected 'win', as in the records before it, got 'hp_margin'"),
    ],
)
def test_records_that_do_not_go_together_are_refused(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    first = record(HeartRush(**SHORT), 7)[0].write(tmp_path / "a.hrr")
    other = record(HeartRush(**{**SHORT, **options}), 7)[0].write(tmp_path / "b.hrr")
    with pytest.raises(RecordError, match=f"b.hrr, line 1: {said}."):
        write_dataset(tmp_path / "out.parquet", [first, other])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.hrr", "b.hrr"]


def test_nothing_is_left_where_a_record_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing remains of the groups written before the damaged record, and an older output file is kept."""
    monkeypatch.setattr(dataset, "ROWS_OF_A_GROUP", 1)
    paths = recorded(tmp_path, HeartRush(**SHORT), 3)
    write(tmp_path, b"before", "out.parquet")
    write(tmp_path, paths[2].read_bytes().replace(b"stance might", b"stance agility", 1), "2.hrr")
    with pytest.raises(RecordError, match="SHA-256 does not match"):
        write_dataset(tmp_path / "out.parquet", paths)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.hrr", "1.hrr", "2.hrr", "out.parquet"]
    assert (tmp_path / "out.parquet").read_bytes() == b"before"


def test_places_and_lists_that_give_no_dataset_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HeartRushError, match="A dataset needs at least one record"):
        write_dataset(tmp_path / "out.parquet", [])
    with pytest.raises(HeartRushError, match="cannot be written"):
        write_dataset(tmp_path / "no" / "out.parquet", recorded(tmp_path, HeartRush(**SHORT), 1))


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(HeartRushError, match=r"needs pyarrow: pip install 'heartrush-env\[data\]'"):
        write_dataset(tmp_path / "out.parquet", [])
