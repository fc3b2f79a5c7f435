"""`heartrush play` with talents and abilities: what is explained and offered, and how choices with parts are made."""

import pytest

pytest.importorskip("rich")

from pathlib import Path

from heartrush_env.records import check, read_record
from tests.app.cli.scripted import DUEL, STANCE, Answer, anything, lines, played, written

pytestmark = pytest.mark.usefixtures("plainly")  # compiling fights with talents takes minutes

TALENTED = """
name = "talented"
[[fighter]]
from = "knight"
team = "blue"
might = 6
heart = 8
talents = ["Brutal Criticals"]
destiny_talents = ["fury"]
[[fighter]]
from = "rogue"
team = "red"
talents = ["cruelty"]
"""


def talented(
    answer: Answer, folder: Path, *more: str, scenario: str = TALENTED, enemy: str = "cunning", seed: str = "1"
) -> str:
    """Play a fight with talents, and return all that is shown."""
    path = written(folder / "talented.toml", scenario)
    _, shown, _ = played(answer, path, "--seat", "knight", "--enemy", enemy, "--seed", seed, *more)
    return " ".join(shown.split())


def test_talents_are_listed_and_explained(tmp_path: Path) -> None:
    """The player's own talents are explained at once, all others after "?"."""
    said = talented(lines("?"), tmp_path)
    begin, _, helped = said.partition("Type the number of a choice")
    mine = (
        "Brutal Criticals (minor: its k-th use costs k rush points, at any moment that fits): If two dice of an attack"
    )
    assert f"Talents and abilities of Knight: {mine}" in begin and "Rogue has Cruelty." in begin
    assert "Fury (destiny) (always on): Below 0 hit points" in begin
    theirs = "Cruelty (always on): Damage taken by a creature within 10 feet may be 1 larger."
    assert theirs not in begin and theirs in helped and mine in helped
    assert "Round 1" in said and "Round 0" not in said


@pytest.mark.parametrize(("rolled", "offered"), [("8 6 3 3", True), ("7 6 3 3", False), ("8 5 3 3", False)])
def test_a_talent_is_offered_when_it_can_do_something(rolled: str, offered: bool, tmp_path: Path) -> None:
    """Brutal Criticals doubles two dice at their maximum: here the heart d8 and the might d6."""

    def answer(prompt: str) -> str | type[BaseException]:
        if prompt.startswith(STANCE):
            return next(stances, EOFError)
        if prompt.startswith("They show"):
            return next(rolls, "")
        return "attack" if prompt == "Your choice: " else ""

    stances, rolls = iter(["might"]), iter([rolled])
    said = talented(answer, tmp_path, "--dice")
    assert "Dice (yours): Knight attacks Rogue in might: heart d8, might d6, " in said
    question = "You may use a talent now 1 use Brutal Criticals If two dice of an attack roll, d6 or larger, show"
    assert (question in said) == offered


DEFIANT = 'abilities = ["cry_of_defiance"]\nrush = 1\nconditions = { dazed = 1, weakened = 1 }'
BLOWS = 'abilities = ["hulking_blows"]\nrush = 3\nweapon = "maul"\nshield = "none"'
GIFTS = 'talents = ["Brutal Criticals"]\ndestiny_talents = ["fury"]'


def test_the_parts_of_a_choice_are_asked_in_words(tmp_path: Path) -> None:
    said = talented(lines("use", "end", "dazed"), tmp_path, scenario=TALENTED.replace(GIFTS, DEFIANT))
    assert "Cry of Defiance: what do you pick? 1 end one condition 2 lose a level of each condition 3 heal" in said
    assert "Cry of Defiance: what do you pick? 1 dazed 2 weakened" in said
    assert "Knight picks for Cry of Defiance: dazed." in said


def test_what_an_enemys_ability_asks_is_asked_in_words(tmp_path: Path) -> None:
    """With this seed, the rogue uses its ability as soon as the stances are revealed."""
    scenario = TALENTED.replace(GIFTS, "").replace('talents = ["cruelty"]', BLOWS)
    said = talented(lines("might", "dodge"), tmp_path, scenario=scenario, enemy="random", seed="16")
    assert "Rogue uses Hulking Blows on Knight. Hulking Blows of Rogue: what do you pick? 1 dodge 2 stand" in said
    assert "Knight picks for Hulking Blows of Rogue: dodge." in said


GIFTED = """
name = "gifted"
max_rounds = 2
[[fighter]]
from = "knight"
team = "blue"
talents = ["exert"]
destiny_talents = ["dodge_and_weave"]
[[fighter]]
from = "duelist"
team = "red"
talents = ["baited_attack"]
"""


def test_a_fight_with_talents_is_recorded_and_plays_again(tmp_path: Path) -> None:
    scenario, path = written(tmp_path / "gifted.toml", GIFTED), tmp_path / "fight.hrr"
    code, shown, _ = played(anything(5), scenario, *DUEL[1:], "--record", str(path))
    assert code == 0 and f"Recorded: {path}" in " ".join(shown.split())
    record = read_record(path)
    check(record)
    assert [own.name for own in record.game.scenario.fighters[1].abilities] == ["baited_attack"]
