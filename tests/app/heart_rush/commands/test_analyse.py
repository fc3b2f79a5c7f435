"""`heartrush duel analyse`: what it prints, draws and refuses."""

import json
import sys
from pathlib import Path

import pytest
from heartrush_agents import load

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.analysis.stance_values import mix_exploitability, stance_values
from heartrush_env.research.best_response import exploitability, read_policies
from heartrush_env.research.solve import solve
from tests.app.cli.running import Out, as_json, printed, refusal, run
from tests.records.recorded import record, summed, write

RULES = {"profile": "plain"}
PLAIN = "--rule profile=plain"
STANCE = f"{PLAIN} --decisions stance"
MIRROR = f"duel analyse mirror_duel {STANCE}"


@pytest.mark.compiles
def test_a_state_and_an_agent_as_json(capsys: Out) -> None:
    assert run(f"duel analyse duel {STANCE} --state 12,30,6,10 --agent uniform --top 3 --json") == 0
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert shown.err == "" and found["warnings"] == []
    table = solve(HeartRush("duel", RULES, decisions="stance"))
    game = stance_values(table, (12, 30, 6, 10))
    assert found["value"] == table.value and found["state"]["matrix"] == game.matrix.tolist()
    assert list(found["state"]["stances"]["knight_0"].values()) == game.worth.tolist()
    gains = exploitability(table, read_policies(load("uniform").seat(table.duel.game), table)).gains
    for told, gain in zip(found["agent"]["seats"].values(), gains, strict=True):
        assert told["loses"]["best_answer"] == pytest.approx(gain)
        assert len(told["states"]) == 3 and told["states"][0]["own_hp"] == 40
        for regions in ("hearts", "hit_points"):
            assert sum(leak["loss"] for leak in told[regions]) == pytest.approx(gain)


@pytest.mark.compiles
def test_tables_for_people(capsys: Out) -> None:
    lines = printed(capsys, f"{MIRROR} --agent defensive").splitlines()
    assert lines[0] == "mirror_duel: value +0.0000 for fencer_0, P(win) - P(loss)"
    assert lines[2] == "fencer_0 40 hp d8, fencer_1 40 hp d8: value +0.0000 for fencer_0"
    assert "defensive as fencer_1: loses 1.0000 to the best response, 1.0000 to the solution" in lines


def duel_of(fighter: str, folder: Path, more: str = "") -> Path:
    """Write a plain duel between two copies of a fighter, ann and bob, and return its path."""
    ends = "".join(f"[[fighter]]\nid = '{id}'\nteam = '{team}'\n{fighter}" for id, team in (("ann", "a"), ("bob", "b")))
    path = folder / "even.toml"
    path.write_text(f"victory = 'first_down'\n{more}[rules]\nprofile = 'plain'\n{ends}")
    return path


def test_warnings_are_printed(capsys: Out, tmp_path: Path) -> None:
    fighter = "might = 4\nagility = 4\ncunning = 4\npresence = 4\nheart = 4\nhp = 3\nweapon = 'longsword'\n"
    out = printed(capsys, "duel analyse", duel_of(fighter, tmp_path))
    assert out.count("Warning: ") == 0  # a longsword is slashing: agility is not like the others
    found = as_json(capsys, "duel analyse", duel_of(fighter, tmp_path, "max_rounds = 1\n"))
    assert any("The round cap decides" in told for told in found["warnings"])


@pytest.mark.long
def test_records_and_pictures(capsys: Out, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    game = HeartRush("mirror_duel", RULES, decisions="stance")
    files = [str(record(game, 4, number)[0].write(tmp_path / f"{number}.hrr")) for number in range(3)]
    words = f"{MIRROR} --agent uniform --state 12,30,6,8 --record"
    found = as_json(capsys, words, *files, "--plots", tmp_path / "pictures")
    for row in found["records"]["fights"]:
        assert row["known"] == ["fencer_0", "fencer_1"]  # both by the name of an agent of the package
        assert row["corrected"] == pytest.approx(row["result"] - row["dice"] - row["stances"])
    assert found["records"]["results"]["fights"] == 3
    foreseen = found["records"]["predictability"]["fencer_1"]
    assert foreseen["stances"] == sum(foreseen["counts"]) == sum(row["rounds"] for row in found["records"]["fights"])
    loses = mix_exploitability(solve(game), (12, 30, 6, 8), foreseen["counts"], 1)
    assert foreseen["mix_loses"] == pytest.approx(loses) and loses > 0
    names = [Path(path).name for path in found["plots"]]
    pictures = ("stances", "values", "leaks", "regrets", "mixes")
    assert names == [f"{name}.{kind}" for name in pictures for kind in ("png", "svg", "pdf")]
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == sorted(names)
    out = printed(capsys, f"{MIRROR} --record", *files)
    assert "mean of 3: " in out and "Stances of fencer_1" in out and files[2] in out


def test_who_a_record_names_is_not_run(capsys: Out, tmp_path: Path) -> None:
    """Choices of a program, a person or an agent that remembers other fights are not counted as luck."""
    game = HeartRush("mirror_duel", RULES, decisions="stance")
    recorder, _ = record(game, 4)
    content = recorder.content.decode()
    for name in ("exec:touch ran", "you", "markov_1"):
        lines = [json.loads(line) for line in content.splitlines()]
        lines[0]["seats"] = {agent: {"agent": name} for agent in game.agents}
        file = write(tmp_path, summed(lines))
        [row] = as_json(capsys, f"{MIRROR} --record", file)["records"]["fights"]
        assert row["known"] == [] and row["stances"] == 0 and row["dice"] != 0
    assert not Path("ran").exists()


def test_a_record_of_another_duel_is_refused(capsys: Out, tmp_path: Path) -> None:
    game = HeartRush("mirror_duel", RULES, decisions="stance")
    file = str(record(game, 4)[0].write(tmp_path / "one.hrr"))
    assert "and the same rules" in refusal(capsys, f"duel analyse mirror_duel {PLAIN} --record", file)
    assert f"{file}: expected the duel 'duel'" in refusal(capsys, f"duel analyse duel {STANCE} --record", file)


def test_without_matplotlib_the_extra_is_named_before_anything_is_solved(
    capsys: Out, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = refusal(capsys, f"duel analyse duel {STANCE} --plots", tmp_path / "pictures")
    assert "heartrush-env[plots]" in said
    assert not (tmp_path / "pictures").exists()


@pytest.mark.long  # the tests beside it analyse duels without a cap
def test_a_duel_whose_cap_counts_is_analysed_too(capsys: Out, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    fighter = "might = 6\nagility = 4\ncunning = 8\npresence = 4\nheart = 6\nhp = 6\nweapon = 'longsword'\n"
    capped = duel_of(fighter, tmp_path, "max_rounds = 3\n")
    game = HeartRush(str(capped))
    file = record(game, 4)[0].write(tmp_path / "one.hrr")
    words = (capped, "--agent", "weighted", "--record", file, "--plots", tmp_path / "drawn")
    found = as_json(capsys, "duel analyse", *words)
    assert found["rounds"] == 3 and len(found["plots"]) == 5 * 3  # PNG, SVG and PDF
    table = solve(game)
    gains = exploitability(table, read_policies(load("weighted").seat(table.duel.game), table)).gains
    for told, gain in zip(found["agent"]["seats"].values(), gains, strict=True):
        assert sum(leak["loss"] for leak in told["hit_points"]) == pytest.approx(gain)
