"""`heartrush play`: real dice, hints, and the summary."""

import io
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rich")

from heartrush_agents import load

from heartrush_env import heart_rush_v0
from heartrush_env.app.cli.playing.asking import numbers
from heartrush_env.app.heart_rush.playing.dice import FightWithRealDice
from heartrush_env.app.heart_rush.playing.hints import Hints
from heartrush_env.app.heart_rush.playing.stage import Stage, stance_note
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.words.habits import Habits
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.games.heart_rush.words.words import beats_by
from tests.app.cli.scripted import DUEL, SHRUG, anything, lines, played, written

REVEAL = " The reveal "


# -- real dice -------------------------------------------------------------------------------------------------------


def test_given_dice_reach_the_roll_that_they_were_typed_for(tmp_path: Path) -> None:
    """RULES 6: "25 hp, heart d6, 30 damage incoming; shrugging makes it 15, heart d4, 10 hp left, a rank 15 wound"."""
    path = written(tmp_path / "shrug.toml", SHRUG)
    answers = lines("cunning", "12 12 12", "3, 3", "shrug")
    _, shown, person = played(answers, path, "--seat", "hero", "--enemy", "might", "--seed", "1", "--dice")
    said = " ".join(shown.split())
    assert "Dice: Brute attacks Hero in might: heart d12, might d12, " in said
    assert "Dice (yours): Hero defends against Brute with might: heart d6, might d6" in said
    assert "= 36 Hero defends: heart d6: 3 + might d6: 3 = 6 30 damage to Hero." in said
    assert "shrug it off 15 damage, 10 hp; heart d6 to d4" in said
    assert "the heart die falls from d6 to d4, 15 damage is left: 10 hp. Hero is wounded: rank 15." in said
    reveal = next(k for k, shown in enumerate(person.before) if REVEAL in shown)
    assert person.prompts[reveal].startswith("They show")  # no dice are rolled before the stances are revealed


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("1 2", "Expected 3 numbers, one for each die, got 2."),
        ("1 2 3 4", "Expected 3 numbers, one for each die, got 4."),
        ("1 2 x", "'x' is not a number"),
        ("0 1 1", "The heart die is a d12: it shows 1 to 12, not 0."),
        ("1 13 1", "The might die is a d12: it shows 1 to 12, not 13."),
        ("1 -1 1", "'-1' is not a number"),
        ("²  1 1", "'²' is not a number"),
        ("9" * 5_000 + " 1 1", "die is a d12"),
    ],
)
def test_wrong_dice_are_refused_and_asked_again(typed: str, said: str, tmp_path: Path) -> None:
    words = (written(tmp_path / "shrug.toml", SHRUG), "--seat", "hero", "--enemy", "might", "--seed", "1", "--dice")
    _, shown, person = played(lines("cunning", typed, "12 12 12", "3 3"), *words)
    assert said in " ".join(shown.split())
    assert person.prompts[1] == person.prompts[2] and "30 damage to Hero." in shown


def test_numbers_take_commas_and_blanks() -> None:
    assert numbers(" 1,  2 3", [("heart", 4)] * 3) == [1, 2, 3]


DIE = re.compile(r"(?:^|[ \[])(?:rolls )?([a-z][a-z' -]*?) d(\d+): (\d+)")


@pytest.mark.parametrize(
    "scenario", ["duel", *(pytest.param(name, marks=pytest.mark.long) for name in ("mirror_duel", "brawl", "giant"))]
)
def test_every_die_is_asked_for_under_the_name_it_is_told_by(scenario: str) -> None:
    """The narrated rolls are those that were asked for, and the events narrated early are those of the fight."""
    env = heart_rush_v0.parallel_env(scenario, illegal="raise")
    narrator, told, asked, roll = Narrator(env.game.scenario), [], [], np.random.default_rng(1)

    def tell(events: Sequence[Any]) -> None:
        told.extend(events)
        lines.extend(narrator.tell(events))

    def ask(fighter: str | None, purpose: str, dice: list[tuple[str, int]]) -> list[int]:
        faces = [int(roll.integers(1, sides + 1)) for _, sides in dice]
        hidden = "goes first" in purpose or "dirty strike" in purpose  # events do not show these dice
        assert hidden or "die" not in [name for name, _ in dice], purpose
        if not hidden:
            names = ["extra" if "advantage" in name else name for name, _ in dice]
            asked.append(tuple(zip(names, [sides for _, sides in dice], faces, strict=True)))
        return faces

    lines: list[str] = []
    fight = FightWithRealDice(env, 11, tell, narrator, ask)
    fight.start()
    names, chance = env.game.action_names, np.random.default_rng(2)
    while env.agents and len(fight.steps) < 25:
        actions = {}
        for agent, seen in fight.observations.items():
            legal = np.flatnonzero(seen["action_mask"])
            lively = [action for action in legal if names[action] not in ("pass", "stance defensive")]
            actions[agent] = int(chance.choice(lively or legal))
        fight.step(actions)
    assert told == [event for events in (fight.opening, *(events for _, events in fight.steps)) for event in events]
    shown = [tuple((name, int(sides), int(face)) for name, sides, face in DIE.findall(line)) for line in lines]
    assert Counter(filter(None, shown)) == Counter(asked)  # contests are narrated attacker first, rolled by timing
    assert sum(map(len, asked)) > 20
    assert fight.dice is not None
    again = heart_rush_v0.parallel_env(scenario)
    again.reset(seed=99, options={"dice": fight.dice})  # the given dice leave nothing to the seed
    for actions, events in fight.steps:
        again.step(actions)
        assert again.events == events


def test_a_fight_takes_so_many_dice_and_rolls_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("dice", "session"):
        monkeypatch.setattr(f"heartrush_env.app.heart_rush.playing.{module}.MAX_GIVEN_DICE", 7)
    _, shown, person = played(anything(5), *DUEL, "--dice")
    assert shown.count("That makes 7 dice") == 1
    assert sum(prompt.startswith("They show") for prompt in person.prompts) <= 4
    assert "Your habits" in shown


# -- hints -----------------------------------------------------------------------------------------------------------


def test_hints_give_the_exact_expected_damage(tmp_path: Path) -> None:
    """The hints agree with a count by hand: d12 + d12 + d12 against d6 + d6, in might and without armor."""
    path = written(tmp_path / "shrug.toml", SHRUG)
    env = heart_rush_v0.parallel_env(path)
    observations, _ = env.reset(seed=1)
    hints = Hints(env.game, ["Hero"])
    (rows,) = hints.tables(observations["brute_0"]).values()
    twelve = range(1, 13)
    three = np.zeros(37)
    for a in twelve:
        for b in twelve:
            for c in twelve:
                three[a + b + c] += 1 / 12**3
    two = np.zeros(13)
    for a in range(1, 7):
        for b in range(1, 7):
            two[a + b] += 1 / 36
    expected = sum(three[x] * two[y] * max(0, x - y) for x in range(37) for y in range(13))
    halved = sum(three[x] * two[y] * ((max(0, x - y) + 1) // 2) for x in range(37) for y in range(13))
    assert rows[0][2].dealt == pytest.approx(expected)
    assert rows[0][3].dealt == pytest.approx(halved)
    assert (rows[0][1].dealt, rows[0][2].suffered, rows[3][3].dealt) == (None, None, None)
    _, shown, _ = played(lines("h"), path, "--seat", "brute", "--enemy", "might", "--seed", "1")
    assert re.search(rf"might +│ .*{expected:.1f}/- │ +{halved:.1f}/-", shown) and f"{hints.adviser.id} would" in shown


def test_a_mixed_adviser_is_told_as_a_mix() -> None:
    env = heart_rush_v0.parallel_env("duel")
    observations, _ = env.reset(seed=1)
    hints = Hints(env.game, ["Duelist"])
    hints.adviser, hints._player = load("uniform"), load("uniform").seat(env.game)
    words = {k: name.split()[1] for k, name in enumerate(env.game.action_names) if name.startswith("stance")}
    said = hints.mix(observations["knight_0"], words)
    assert said == "uniform would mix: might 33 %; agility 33 %; cunning 33 %."


# -- the summary -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "kept"), [("june2025", "even"), ("december2025", "won")])
def test_might_beats_the_defensive_stance_where_the_edition_says_so(edition: str, kept: str) -> None:
    scenario = load_scenario("duel", {"edition": edition})
    habits = Habits(beats_by(scenario.settings))
    for _ in range(2):
        habits.add("might", "defensive")
    assert habits.kept() == {kept: (1, 1)}
    narrator, shown = Narrator(scenario), io.StringIO()
    Stage(scenario, narrator, "knight_0", shown).reveal({"knight_0": "might", "duelist_0": "defensive"})
    told = " ".join(shown.getvalue().split())
    note = stance_note("might", [("heart", 8)], narrator.beats)
    if kept == "won":
        assert "half of what gets through counts; Duelist cannot strike back." in told
        assert note.startswith("beats cunning and defensive; ")
    else:
        assert "You may attack Duelist behind a guard: half of what gets through counts." in told
        assert note.startswith("beats cunning; ")


def test_the_menu_of_stances_names_the_dice_of_each_attack(tmp_path: Path) -> None:
    """Weapons > Damage Type Bonus: a slashing weapon adds its die again in agility. A shrug lowers the heart d6 to d4.

    The dazed hero has disadvantage in cunning. The menu leaves out the dice of the disadvantage, because an enemy may
    add to the disadvantage.
    """
    ours = SHRUG.replace('"none"', '"slashing"', 1).replace("agility = 6", "agility = 8", 1)
    ours = ours.replace("hp = 25", "hp = 25\nconditions = { dazed = 2 }")
    words = (written(tmp_path / "blade.toml", ours), "--seat", "hero", "--enemy", "might", "--seed", "1", "--dice")
    _, shown, _ = played(lines("cunning", "12 12 12", "3 3", "shrug"), *words)
    said = " ".join(shown.split())
    for heart in (6, 4):
        assert f"might beats cunning; heart d{heart} + might d6 + light melee slashing d8" in said
        assert f"agility beats might; heart d{heart} + agility d8 + light melee slashing d8 + slashing d8" in said
    assert "cunning beats agility; heart d6 + cunning d6 + light melee slashing d8 4 defensive no attack; half" in said


def test_the_summary_counts_the_dice_that_were_shown(tmp_path: Path) -> None:
    """The hero rolls two dice, 3 and 3; the brute rolls three, 12 each, and brings the hero down."""
    path = written(tmp_path / "down.toml", SHRUG.replace("last_standing", "first_down"))
    words = (path, "--seat", "hero", "--enemy", "might", "--seed", "1", "--dice")
    code, shown, _ = played(lines("cunning", "12 12 12", "3 3", "take"), *words)
    said = " ".join(shown.split())
    assert code == 0 and "You lose" in said
    assert "Yours: 2 dice, 6 pips against a mean of 7: -1, -0.4 standard deviations, as expected." in said
    assert "Your enemies': 3 dice, 36 pips against a mean of 19.5: +16.5" in said
    assert "Stances: cunning 1 (100 %). One stance does not make a habit." in said
