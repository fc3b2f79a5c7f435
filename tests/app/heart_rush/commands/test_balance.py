"""`heartrush encounter balance`: which arguments it takes, what it writes, and what it refuses."""

from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.encounters import balance as racing
from heartrush_env.app.encounters.balance import Candidate, Found, Runner, with_monsters
from heartrush_env.app.encounters.players import ONE
from heartrush_env.app.encounters.wishes import Score, Wish
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.tabletop.files import as_toml, parse_toml
from tests.app.cli.running import Out, as_json, printed, refusal

SCENARIO = """
name = "party"
heroes = "blue"
[[fighter]]
from = "knight"
team = "blue"
wounds = [3, 4]
weapon = { size = "light", attack_type = "melee" }
[rules]
zero_hp = "all_out"
"""


@pytest.fixture
def party(tmp_path: Path) -> str:
    path = tmp_path / "party.toml"
    path.write_text(SCENARIO)
    return str(path)


def test_the_best_encounter_is_printed_and_written(
    party: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """Every argument reaches the race, and the written file is a playable scenario."""
    asked: list[Any] = []

    def race(table: Any, ids: Any, wish: Wish, seat: Any, **how: Any) -> Found:
        how.pop("progress"), how.pop("game")
        asked.append((ids, wish, how, seat(with_monsters(table, Candidate(("wolf",))))[ONE].agents))
        candidate = Candidate(("wolf", "wolf"), 130)
        runner = Runner(candidate, with_monsters(table, candidate) or {}, {}, {ONE: Score(100, 66, 100, 70.0, 50.0)})
        return Found(wish, [runner], 5, 5, 9, 400, how["seed"])

    monkeypatch.setattr(racing, "balance", race)
    out = tmp_path / "wolves.toml"
    wishes = ["--wish", "win 65%", "--spent", "50%", "--no-death", "90%"]
    words = "encounter balance --from Wolf,giant-rat -n 150 --heroes might --seed 3 --processes 2"
    told = printed(capsys, words, party, *wishes, "--out", out)
    ((ids, wish, how, agents),) = asked
    assert (ids, how) == (["wolf", "giant_rat"], {"starts": [], "fights": 150, "seed": 3, "processes": 2})
    assert {team: agent.id for team, agent in agents.items()} == {"blue": "might", "red": "wolf_pack"}
    assert [*vars(wish).values()] == pytest.approx([0.6, 0.7, 0.5, 0.9])
    assert "2 wolf, hp 130 %: meets the wish; " in told
    text = out.read_text(encoding="utf-8")
    found = "# Found by `heartrush encounter balance`: wins 60 to 70 %, at least 50 % of hit points spent"
    assert text.startswith(found)
    scenario = load_scenario(str(out))
    assert (scenario.name, scenario.heroes, scenario.settings.zero_hp) == ("wolves", ("blue",), "all_out")
    assert [sheet.hp for sheet in scenario.fighters] == [40, 26, 26] and scenario.fighters[0].wounds == (3, 4)
    assert as_json(capsys, words, party, *wishes)["found"][0]["monsters"] == ["wolf", "wolf"]


def test_tables_survive_being_written() -> None:
    table = {
        "name": 'a "bold" naïve\tname',
        "flag": True,
        "empty": [],
        "wounds": [1, 2],
        "rules": {"levels": False, "talk": "open"},
        "fighter": [{"id": "a", "weapon": {"size": "light", "reach": True}}, {"id": "b", "at": [1, 2]}],
    }
    assert parse_toml(as_toml(table)) == table


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--wish", "draw"], "Expected a wish such as"),
        (["--wish", "win 65%", "--from", "wulf"], "--from: unknown fighter or monster 'wulf' (did you mean 'wolf'?)"),
        (
            ["--wish", "win 65%", "--out", "x.json"],
            "--out: expected the path of a .toml file in an existing folder, got 'x.json'",
        ),
        (["--wish", "win 65%", "--party", "red"], "as the party, got none"),
        (["--wish", "win 65%", "-n", "9"], "'9' is not a whole number of at least 100"),
        ([], "the following arguments are required: --wish"),
    ],
)
def test_what_is_wrong_is_said_before_any_race(
    words: list[str], says: str, party: str, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(racing, "balance", lambda *_, **__: pytest.fail("it has raced"))
    assert says in refusal(capsys, "encounter balance", party, *words)
