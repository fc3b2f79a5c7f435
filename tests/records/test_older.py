"""Records and snapshots of older versions, and records that other programs have saved again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heartrush_env import __version__, heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.settings import BEFORE
from heartrush_env.records.record import RecordError, read_record
from heartrush_env.records.replay import check
from tests.records.recorded import SHORT, lines_of, record, summed, write

NEW = {"agility_rises", "trip_on", "trips_per_round", "top_speed"}
UNSTEADY: dict[str, Any] = {
    "name": "unsteady",
    "heroes": ["blue"],
    "max_rounds": 4,
    "battlefield": {"map": ["......"] * 3},
    "fighter": [
        {"from": "duelist", "team": "blue", "at": [1, 1], "conditions": {"prone": 1}, "rush": 2},
        {"from": "bandit", "team": "red", "at": [3, 1], "conditions": {"off_balanced": 3}, "rush": 2},
    ],
}


def without_map() -> dict[str, Any]:
    """Return the scenario UNSTEADY without its map."""
    table = {key: value for key, value in UNSTEADY.items() if key != "battlefield"}
    fighters = [{key: value for key, value in one.items() if key != "at"} for one in UNSTEADY["fighter"]]
    return {**table, "fighter": fighters}


ON_AND_OFF_A_MAP = pytest.mark.parametrize("table", [UNSTEADY, without_map()], ids=["map", "no map"])


@ON_AND_OFF_A_MAP
def test_a_record_without_newer_settings_is_replayed_as_it_was_played(table: dict[str, Any], tmp_path: Path) -> None:
    for seed in range(3):
        played = HeartRush(table, {name: BEFORE[name] for name in NEW})
        lines = lines_of(record(played, seed)[0])
        for name in NEW:
            del lines[0]["game"]["scenario"]["rules"][name]
        lines[0]["digest"] = HeartRush(table).digest  # earlier digests did not include these settings
        found = read_record(write(tmp_path, summed(lines)))
        assert found.game.rules.items() >= {name: BEFORE[name] for name in NEW}.items()
        check(found)


@ON_AND_OFF_A_MAP
def test_a_snapshot_without_newer_fields_is_restored_with_the_settings_of_its_environment(
    table: dict[str, Any],
) -> None:
    env = heart_rush_v0.parallel_env(scenario=table, rules={"trips_per_round": "unlimited"})
    env.reset(seed=3)
    for _ in range(5):
        env.step({})
    whole = json.loads(json.dumps(env.unwrapped.snapshot()))
    older = json.loads(json.dumps(whole))
    position = older["position"]["position"]
    for name in ("agility_rises", "trip_on_steps", "trips_unlimited", "top_speed"):
        del position["rules"][name]
    for fighter in position["fighters"]:
        del fighter["stepped"]
    env.reset(seed=4)
    env.unwrapped.restore(older)
    assert env.unwrapped.snapshot() == whole


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.replace(b"\n", b"\r\n"),
        lambda content: b"\xef\xbb\xbf" + content,
        lambda content: content[:-1],
        lambda content: b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")[:-2],
    ],
    ids=["CRLF", "byte-order mark", "no last line break", "all of them"],
)
def test_a_record_that_an_editor_has_saved_again_is_read(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    content = record(HeartRush(**SHORT), 5)[0].content
    as_written = read_record(write(tmp_path, content))
    found = read_record(write(tmp_path, change(content), "saved.hrr"))
    assert (found.steps, found.sha256) == (as_written.steps, as_written.sha256)
    check(found)


@pytest.mark.parametrize(
    ("wrote", "named"), [("0.0.9", "heartrush-env '0.0.9'"), (__version__, f"an earlier heartrush-env '{__version__}'")]
)
def test_a_record_with_tables_of_another_version_is_refused_with_the_name_of_that_version(
    wrote: str, named: str, tmp_path: Path
) -> None:
    lines = lines_of(record(HeartRush(**SHORT), 5)[0])
    lines[0] |= {"tables": "0" * 32, "heartrush_env": wrote}
    with pytest.raises(RecordError, match=f"read the record with {named}.*, which wrote it\\.$"):
        read_record(write(tmp_path, summed(lines)))
