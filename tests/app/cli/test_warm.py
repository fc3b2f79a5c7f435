"""`heartrush machine warm`: what it compiles, where it says that it keeps the code, and that nothing compiles later."""

import json
import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.app.cli import warm
from heartrush_env.app.cli.main import main
from heartrush_env.tabletop.kernels import noting
from tests.app.cli.running import Out, as_json, printed
from tests.processes import finished
from tests.tabletop import toy_program

ROOT = Path(__file__).resolve().parents[3]

DOORS = """
import sys
import gymnasium, numpy as np
from heartrush_agents import load
from heartrush_env import heart_rush_v0
from heartrush_env.app.cli.main import main
from heartrush_env.tabletop.compiling.code_cache import USED

scenario = sys.argv[1]
for decisions in ("full", "stance") if scenario == "duel" else ("full",):
    vec = heart_rush_v0.make_vec(3, scenario, seed=1, num_threads=2, decisions=decisions)
    observations, _ = vec.reset()
    for _ in range(30):
        vec.step(observations["action_mask"].argmax(axis=2))
env = heart_rush_v0.parallel_env(scenario, control="team", render_mode="ansi")
env.reset(seed=1)
env.step({agent: int(env.action_space(agent).sample()) for agent in env.agents})
env.state(), env.render(), env.restore(env.snapshot())
aec = heart_rush_v0.env(scenario)
aec.reset(seed=1)
for _ in range(20):
    aec.step(int(aec.last()[0]["action_mask"].argmax()))
one = gymnasium.make("heartrush_env/HeartRush-v0", scenario=scenario, opponent="tactician")
one.reset(seed=1)
one.close()
assert main(["fight", scenario, "--seed", "1", "--json"]) == 0
print(*sorted({used.function for used in USED if used.compiled}), file=sys.stderr)
print(len([used for used in USED if not used.compiled]), file=sys.stderr)
"""


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace each part by a toy program that compiles in a moment."""
    monkeypatch.setattr(warm, "PARTS", {part: (f"toy {part}", toy_program.answer) for part in warm.PARTS})
    monkeypatch.setattr("heartrush_env.tabletop.compiling.code_cache.USED", [])
    monkeypatch.setattr("tests.tabletop.toy_program.USED", [])


@pytest.mark.usefixtures("toys")
def test_it_tells_what_it_compiled_and_where_to(tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARTRUSH_CACHE_DIR", str(tmp_path))
    first, second, left_out, last = printed(capsys, "machine warm").splitlines()
    assert re.fullmatch(
        r"toy abilities: left out; `heartrush machine warm abilities` compiles them, in about \d+ s of one core here",
        left_out,
    )
    assert first.startswith("toy fights: compiled in ") and second == "toy maps: already compiled"
    assert last == f"kept in {tmp_path}"
    told = as_json(capsys, "machine warm solver")
    assert (told["kept"], told["folder"]) == (True, str(tmp_path))
    assert [(part["part"], part["compiled"]) for part in told["parts"]] == [("solver", 0)]
    assert told["left_out"] == {}
    assert as_json(capsys, "machine warm")["left_out"]["abilities"] > 0


@pytest.mark.usefixtures("toys")
def test_what_is_not_kept_there_is_a_failure(tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "file").write_text("a file")
    monkeypatch.setenv("HEARTRUSH_CACHE_DIR", str(tmp_path / "file"))
    for parts in (["fights"], ["fights", "maps"]):  # compiled, then found in the temporary folder
        assert main(["machine", "warm", *parts, "--json"]) == warm.NOT_KEPT
        told = capsys.readouterr()
        assert json.loads(told.out)["kept"] is False
        said = f"is kept in {tmp_path / 'file'}; HEARTRUSH_CACHE_DIR names another folder."
        assert told.err.splitlines()[-1].endswith(said)


def test_the_library_holds_observations_as_entities() -> None:
    """In plain Python, environments call only this part's functions: in both editions, for two or more, on a map."""
    with noting() as noted, np.errstate(over="ignore"):
        warm.PARTS["entities"][1]()
        held = set(noted)
        for scenario in ("duel", "melee", "skirmish"):
            for edition in ("june2025", "classic"):
                door = heart_rush_v0.make_vec(1, scenario, rules={"edition": edition}, observations="entities", seed=1)
                door.reset()
                door.step(np.zeros((1, door.num_agents), np.int64))
                door.restore(0, door.snapshot(0))
        assert set(noted) == held
    assert "entities" in warm.IN_LIBRARY and sum(name.startswith("play_slots_") for name in held) == 5


@pytest.mark.long
@pytest.mark.parametrize(("part", "scenario"), [("fights", "duel"), ("fights", "melee"), ("maps", "skirmish")])
def test_after_it_no_door_compiles(part: str, scenario: str, tmp_path: Path) -> None:
    """The cache folder is new, so that everything is really compiled."""
    path = os.pathsep.join([str(ROOT), *sys.path])
    fresh = {**os.environ, "HEARTRUSH_CACHE_DIR": str(tmp_path), "PYTHONPATH": path}
    heartrush = (sys.executable, "-m", "heartrush_env.app.cli.main")
    done = finished(*heartrush, "machine", "warm", part, "--json", text=True, env=fresh)
    assert done.returncode == 0 and json.loads(done.stdout)["parts"][0]["compiled"] > 3, done.stderr
    doors = finished(sys.executable, "-W", "ignore", "-c", DOORS, scenario, text=True, env=fresh)
    assert doors.returncode == 0, doors.stderr
    compiled, found = doors.stderr.splitlines()[-2:]
    assert compiled == "" and int(found) >= 2  # for playing and observing, and for the state
