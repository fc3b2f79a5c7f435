"""`heartrush play`: whole fights by scripted input, secrets kept, bad input, leaving, records, terminals."""

import contextlib
import io
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rich")

from heartrush_agents import Agent, load, register, registry
from heartrush_agents.base import Player
from heartrush_agents.difficulty import measured
from heartrush_agents.roster import CHARACTERS

from heartrush_env import heart_rush_v0
from heartrush_env.app.cli import play as command
from heartrush_env.app.cli.main import BAD_INPUT
from heartrush_env.app.cli.playing import opponents, sitting
from heartrush_env.app.cli.playing.asking import LEAVE, NO_UNDO
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.words.menu import deeds
from heartrush_env.records import check, read_record
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import noting
from heartrush_env.tabletop.menus import Choice, Unclear, understand
from tests.app.cli.scripted import DUEL, SHRUG, STANCE, Answer, Answering, anything, lines, parsed, played
from tests.processes import PATIENCE, finished, started

ROOT = Path(__file__).resolve().parents[3]
REVEAL = " The reveal "
NO_COLORS = [
    pytest.param(more, colored, marks=pytest.mark.long) for more, colored in (({"NO_COLOR": "1"}, False), ({}, None))
]


# -- whole fights ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "seat", "more"),
    [
        ("duel", "knight_0", []),
        ("duel", "duelist_0", ["--dice"]),
        ("brawl", "rogue_0", ["--ally", "uniform"]),
        ("mirror_duel", "fencer_1", ["--dice"]),
        ("giant", "giant_0", []),
        ("giant", "guard_0", ["--ally", "uniform", "--rule", "talk=open"]),
        ("melee", "healer_0", []),
    ],
)
def test_a_whole_fight(scenario: str, seat: str, more: list[str]) -> None:
    code, shown, person = played(anything(5), scenario, "--seat", seat, "--enemy", "tactician", "--seed", "7", *more)
    assert code == 0
    assert re.search(r"^(You win|You lose|A draw) ─", shown, re.MULTILINE)
    rounds = [int(number) for number in re.findall(r"^Round (\d+) ─", shown, re.MULTILINE)]
    assert rounds == list(range(1, len(rounds) + 1)) and len(rounds) == shown.count(REVEAL)
    asked = [prompt.startswith(STANCE) for prompt in person.prompts]
    assert asked == person.secrets  # the stance and nothing else is typed unseen
    taken = re.search(r"Your habits Stances: (.+?)\.", " ".join(shown.split()))
    assert taken is not None
    assert sum(int(count) for count in re.findall(r"[a-z] (\d+) \(", taken[1])) <= len(rounds)
    assert "\x1b" not in shown
    assert shown.rstrip().endswith("--seed 7")
    assert max(map(len, shown.splitlines()[:-1])) <= 80  # but for the command to copy


@pytest.mark.parametrize(
    ("words", "talks"),
    [
        (("brawl", "--seat", "rogue_0"), True),
        (("brawl", "--seat", "rogue_0", "--rule", "talk=none"), False),
        (("duel", "--seat", "knight_0"), False),
    ],
)
def test_a_side_of_two_heroes_or_more_talks_before_its_stances(words: tuple[str, ...], talks: bool) -> None:
    _, shown, _ = played(anything(5), *words, "--enemy", "uniform", "--seed", "7")
    assert ("says: something that only its own side hears" in " ".join(shown.split())) == talks


def test_the_same_seed_and_answers_are_the_same_fight() -> None:
    first, again, other = (played(anything(5), *DUEL[:-1], seed)[1] for seed in "778")
    assert first == again != other


def test_what_is_left_out_is_asked_for() -> None:
    code, shown, person = played(lines("", "", ""), "--seed", "1")
    assert code == 0 and "You are Knight. You fight against Duelist (" in shown
    assert ["duel" in person.prompts[0], "knight_0" in person.prompts[1]] == [True, True]
    _, shown, _ = played(lines("gi", "rogue", "default", ""), "--seed", "1")
    assert "You are Rogue. You fight with Knight (default), Spear Guard (default) against Giant (default)." in " ".join(
        shown.split()
    )


def test_characters_come_first_with_their_name_line_and_stars() -> None:
    _, shown, _ = played(lines("", "", "?", "hrolf redhand@3"), "--seed", "1")
    assert shown.index("long sword d12") < shown.index("Which fighter do you play?"), (
        "figures come before the choice of a seat"
    )
    assert re.search(r"^ *Knight +blue +40 +d8 +d6 +d6 +d8 +4 +long sword d12", shown, re.MULTILINE)
    menu = shown.split("Which enemy?")[1].split("Your choice")[0]
    listed = re.findall(r"^ *\d+ ([a-z_]+)  +([★*]*) +(\S.+?)\. ", menu, re.MULTILINE)
    people = opponents.characters(heart_rush_v0.parallel_env("duel").game)
    assert [(id, name) for id, _, name in listed] == [(each.agent.id, each.name) for each in people]
    assert {each.agent.id for each in people} == {each.ENEMY.id for each in CHARACTERS}
    stars = [len(shown) for _, shown, _ in listed]
    assert stars == sorted(stars) and len(set(stars)) > 2
    said = " ".join(shown.split())
    assert "Hrolf Redhand. Runs at the nearest enemy and swings with all his might" in said
    assert "@1 to @10 after it sets the level, as in berserker@3" in said and "Enter: swordmaster@5" in said
    assert "He was in the shield wall until he broke it from the inside." in said, "? tells who they are"
    assert "more: bots" in said and "uniform" not in menu and "each:" not in menu
    assert "You fight against Duelist (berserker@3)." in said and "--enemy berserker@3" in said
    assert max(map(len, shown.splitlines()[:-1])) <= 80


def test_a_question_mark_says_which_fights_have_a_map_and_how_long_they_last() -> None:
    _, shown, _ = played(lines("?", "", "", "hrolf redhand@3"), "--seed", "1")
    told = re.findall(r"^ *([a-z_]+): (on|without) a map, about (\d+) rounds$", shown, re.MULTILINE)
    assert [name for name, _, _ in told] == list(shipped_scenarios())
    on_maps = {name for name, ground, _ in told if ground == "on"}
    assert {"bridge", "skirmish", "tower"} <= on_maps and not on_maps & {"duel", "brawl", "melee"}
    assert shown.count("Which fight?") == 2, "the question is asked again"


def test_bots_are_behind_more_by_strength_with_a_word_each_and_levels() -> None:
    _, shown, _ = played(lines("", "", "more", "?", "duelist easy"), "--seed", "1")
    listed = re.findall(
        r"^ *\d+ ([a-z_0-9]+)  +([a-z ]+?)(?:  |$)",
        shown.split("Which enemy?")[2].split("Your choice")[0],
        re.MULTILINE,
    )
    words = [word for _, word in listed]
    assert [id for id, _ in listed] == [
        each.agent.id for each in opponents.ranked(heart_rush_v0.parallel_env("duel").game)
    ]
    scores = measured()["strengths"]["scores"]
    rated = [scores[id][0] for id, _ in listed if id in scores]  # those that take their time have no measured strength
    assert rated == sorted(rated)
    assert words[0] == "harmless" and sorted(words, key=words.index) == words and len(set(words)) > 3
    said = " ".join(shown.split())
    assert "or duelist@easy, duelist@normal" in said
    assert "uniform (fair): Takes the three attacking stances equally often" in said
    assert re.search(r"duelist@easy wins \d+ % against uniform", said)
    assert "You fight against Duelist (duelist@easy)." in said and "--enemy duelist@easy" in said
    assert max(map(len, shown.splitlines()[:-1])) <= 80


def test_each_enemy_may_have_an_agent_of_its_own() -> None:
    """Chosen one by one, or named by --enemy; the command that is shown at the end sets up the same enemies."""
    _, shown, _ = played(lines("each", "guardian@5", "might"), "brawl", "--seat", "knight_0", "--seed", "1")
    said = " ".join(shown.split())
    foes = [sheet for sheet in load_scenario("brawl").fighters if sheet.team != "blue"]
    assert [f"Which enemy plays {sheet.name}?" in said for sheet in foes] == [True, True]
    assert f"against {foes[0].name} (guardian@5), {foes[1].name} (might)." in said
    again = shown.rstrip().splitlines()[-1].partition("heartrush play ")[2].split()
    assert again[3:7] == ["--enemy", f"{foes[0].agent}=guardian@5", "--enemy", f"{foes[1].agent}=might"]
    _, other, _ = played(lines(), *again)
    assert f"against {foes[0].name} (guardian@5), {foes[1].name} (might)." in " ".join(other.split())
    words = ("brawl", "--seat", "knight_0", "--enemy", f"{foes[1].agent}=might", "--enemy", "uniform", "--seed", "1")
    _, shown, _ = played(lines(), *words)
    assert f"against {foes[0].name} (uniform), {foes[1].name} (might)." in " ".join(shown.split())


def test_who_has_no_measured_strength_comes_last() -> None:
    known = opponents.ranked(heart_rush_v0.parallel_env("skirmish").game)
    assert [each.agent.id for each in known if each.score is None][-1:] == [known[-1].agent.id]
    assert "charger" in {each.agent.id for each in known}
    people = opponents.characters(heart_rush_v0.parallel_env("skirmish").game)
    assert opponents.usual(people, known) == "swordmaster@5" and opponents.usual([], known) == known[-1].agent.id


def test_another_fight_is_offered_where_a_person_sits(tmp_path: Path) -> None:
    """The same again, the other seat, another enemy, and no more; each is recorded beside the last."""
    wanted = iter(["again", "seat", "enemy", ""])

    def answer(prompt: str) -> str:
        if prompt == "Your choice (Enter: no): ":
            return next(wanted)
        return (
            "default"
            if "swordmaster@5" in prompt
            else "m"
            if STANCE in prompt
            else "1"
            if "Enter" not in prompt
            else ""
        )

    words = (
        "duel",
        "--seat",
        "knight_0",
        "--enemy",
        "defensive",
        "--seed",
        "3",
        "--record",
        str(tmp_path / "fight.hrr"),
    )
    code, shown, _ = played(answer, *words, watched=True)
    assert code == 0 and next(wanted, None) is None
    said = " ".join(shown.split())
    seats = re.findall(r"You are (\w+)\. You fight against (\w+) \((\w+)\)\.", said)
    assert seats == [
        ("Knight", "Duelist", "defensive"),
        ("Knight", "Duelist", "defensive"),
        ("Duelist", "Knight", "defensive"),
        ("Duelist", "Knight", "default"),
    ]
    assert shown.rstrip().endswith("--seat duelist_0 --enemy default --seed 6")
    records = [read_record(tmp_path / f"fight{number}.hrr") for number in ("", "-2", "-3", "-4")]
    assert len({record.seed for record in records}) == 4
    assert len(list(tmp_path.iterdir())) == 4


def test_a_script_is_offered_nothing_more() -> None:
    _, shown, person = played(anything(5), "duel", "--seat", "knight_0", "--enemy", "defensive", "--seed", "3")
    assert "Another fight?" not in shown and "Enter: no" not in person.prompts[-1]


def test_nobody_need_answer_whether_there_is_another_fight() -> None:
    def answer(prompt: str) -> str | type[BaseException]:
        return EOFError if "Enter: no" in prompt else anything(5)(prompt)

    code, shown, _ = played(answer, "duel", "--seat", "knight_0", "--enemy", "defensive", "--seed", "3", watched=True)
    assert code == 0 and "Another fight?" in shown and "The input has ended" not in shown


def three(tmp_path: Path) -> tuple[str, ...]:
    """A fight that goes on once you are out."""
    third = SHRUG[SHRUG.index("[[fighter]]") : SHRUG.rindex("[[fighter]]")].replace('"hero"', '"friend"')
    path = tmp_path / "three.toml"
    path.write_text(SHRUG.replace('heroes = ["blue"]', "") + third.replace("hp = 25", "hp = 60"))
    return (str(path), "--seat", "hero", "--enemy", "might", "--ally", "might", "--seed", "1")


@pytest.mark.parametrize("more", [[], ["--dice"]])
def test_who_is_out_may_skip_to_the_end(tmp_path: Path, more: list[str]) -> None:
    def answer(prompt: str) -> str:
        if "skip to the end" in prompt:
            return "skip"
        return "cunning" if STANCE in prompt else "take" if prompt == "Your choice: " else ""

    code, shown, person = played(answer, *three(tmp_path), *more, watched=True)
    assert code == 0
    out = shown[shown.index("You are out; the others fight on.") :]
    assert "Round " not in out and "attacks" not in out and "They show" not in out
    assert re.search(r"^(You win|You lose|A draw) ─", out, re.MULTILINE) and "Your habits" in out
    assert sum("skip to the end" in prompt for prompt in person.prompts) == 1


def test_who_is_out_watches_the_others(tmp_path: Path) -> None:
    code, shown, _ = played(
        lambda prompt: "cunning" if STANCE in prompt else "" if "nothing" in prompt else "take", *three(tmp_path)
    )
    assert code == 0 and shown.count("You are out; the others fight on.") == 1
    out = shown.index("You are out")
    assert "Round " in shown[out:] and STANCE not in shown[out:] and "Your habits" in shown[out:]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dule"], "expected ambush, brawl"),
        (["duel", "--seat", "nobody"], " (knight_0, duelist_0), got "),
        (["mirror_duel", "--seat", "fencer"], "--seat: expected one fighter of"),
        (["duel", "--seat", "knight", "--enemy", "tacticain"], "did you mean 'tactician'"),
        (["duel", "--seat", "knight", "--ally", "x"], "Unknown agent 'x'"),
        (["brawl", "--seat", "knight", "--enemy", "knight=might"], ", got knight_0."),
        (["brawl", "--seat", "knight", "--enemy", "nobody=might"], "--enemy: expected one fighter of"),
        (["duel", "--rule", "profil=plain"], "did you mean 'profile'"),
        (["duel", "--record", "no/such/folder/fight.hrr"], "expected an existing folder"),
        (["duel", "--record", "fight.avi"], "--record: expected a file ending in .hrr, .gif or .mp4, got 'fight.avi'."),
    ],
)
def test_bad_arguments_are_refused(words: list[str], said: str) -> None:
    with pytest.raises(HeartRushError, match=re.escape(said)):
        played(lines(), *words)


def test_without_rich_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("sitting", "setup", "table", "screen"):
        monkeypatch.delitem(sys.modules, f"heartrush_env.app.cli.playing.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "rich", None)
    with pytest.raises(HeartRushError, match=re.escape("pip install 'heartrush-env[play]'")):
        command.run(parsed("duel"))


def test_rich_is_imported_by_a_fight_and_not_before() -> None:
    program = "from heartrush_env.app.cli import play; import sys; print('rich' in sys.modules)"
    done = finished(sys.executable, "-c", program, text=True, env=environment())
    assert (done.stdout, done.stderr) == ("False\n", "")


# -- talents ---------------------------------------------------------------------------------------------------------

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


def talented(answer: Answer, tmp_path: Path, *more: str) -> str:
    """All that is shown of a fight with talents, in plain Python, because compiling such fights takes minutes."""
    path = tmp_path / "talented.toml"
    path.write_text(TALENTED)
    with noting(), np.errstate(over="ignore"):
        _, shown, _ = played(answer, str(path), "--seat", "knight", "--enemy", "cunning", "--seed", "1", *more)
    return " ".join(shown.split())


def test_talents_are_listed_and_explained(tmp_path: Path) -> None:
    """Yours are explained at once, all others by ?."""
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


# -- secrets ---------------------------------------------------------------------------------------------------------


class Planned(Player):
    """Takes the stances that it was told to, and all else by the default."""

    def __init__(self, game: Any, plan: Sequence[str]) -> None:
        super().__init__(game)
        self.left = list(plan)
        self._else = load("defensive").seat(game)

    def policy(self, observation: Any) -> Any:
        number = self.game.action_names.index("stance might")
        if not observation["action_mask"][number]:
            return self._else.policy(observation)
        policy = np.zeros(len(observation["action_mask"]))
        policy[self.game.action_names.index(f"stance {self.left.pop(0)}")] = 1.0
        return policy


def against(plan: Sequence[str], *words: str) -> list[str]:
    """What was shown before each reveal, against an enemy with a plan; everything is asked of the hints."""
    register(Agent("planned", "Has a plan.", lambda game: Planned(game, plan)))
    hinted = {"now": False}

    def answer(prompt: str) -> str | type[BaseException]:
        if "(" in prompt and STANCE in prompt and not hinted["now"]:
            hinted["now"] = True
            return "h"
        hinted["now"] = False
        return "defensive" if STANCE in prompt else "2" if prompt == "Your choice: " else ""

    shown = io.StringIO()
    person = Answering(answer, shown)
    with contextlib.suppress(IndexError):  # the plan is at its end
        sitting.play(parsed("duel", "--seat", "knight_0", "--enemy", "planned", "--seed", "4", *words), person, shown)
    whole = shown.getvalue()
    return [whole[: found.start()] for found in re.finditer(REVEAL, whole)]


@pytest.mark.parametrize("more", [[], ["--dice"]])
def test_nothing_tells_the_enemys_stance_before_the_reveal(more: list[str]) -> None:
    """Whatever the enemy is about to take, all that is shown up to the reveal is the same."""
    for k in range(3):
        shown = [against([*["defensive"] * k, stance], *more)[k] for stance in ("might", "agility", "cunning")]
        assert shown[0] == shown[1] == shown[2]
        assert f"Round {k + 1} " in shown[0] and f"Round {k + 2} " not in shown[0]


def test_a_refused_stance_is_not_repeated() -> None:
    _, shown, _ = played(lines("xyzzy", "mighty"), *DUEL)
    assert "That cannot be chosen here" in shown
    assert "xyzzy" not in shown and "mighty" not in shown
    _, shown, _ = played(lines("c", "xyzzy"), *DUEL)
    assert "'xyzzy' cannot be chosen here" in shown


def test_the_reveal_says_who_beats_whom_and_why() -> None:
    _, shown, _ = played(lines("c"), *DUEL)  # the tactician takes agility here
    assert re.search(r"CUNNING +beats ▶ +AGILITY", shown)
    said = " ".join(shown.split())
    assert (
        "Cunning beats agility: a feint catches the quick. You may attack Duelist, naming up to two levels of " in said
    )
    assert "of dazed, off-balanced or weakened; Duelist cannot strike back." in said
    said = " ".join(played(lines("m"), *DUEL)[1].split())
    assert re.search(r"MIGHT +◀ loses to +AGILITY", said) and "Duelist may attack you; you cannot strike back." in said
    said = " ".join(played(lines("a"), *DUEL)[1].split())
    assert "You meet Duelist in agility: an attack becomes a contest" in said
    said = " ".join(played(lines("d"), *DUEL)[1].split())
    assert "Duelist may attack you behind your guard: half of what gets through counts." in said


def test_enemies_in_the_same_stance_are_named_together() -> None:
    words = ("free_for_all", "--seat", "rogue_0", "--enemy", "might", "--seed", "1")
    _, shown, _ = played(lines("a"), *words)
    said = " ".join(shown.split())
    assert said.count("You may attack Knight, Barbarian, Duelist and Spear Guard; they cannot strike back.") == 1
    menu = shown[shown.index("what do you do?") :]
    assert "  Knight: 1 attack, 2 grapple, 3 strike dirty at, " in menu
    assert "  37 do nothing\n" in menu
    assert not re.search(r" \d+$", menu.split("Your choice")[0], re.MULTILINE)  # a number stands with its word


# -- input of every kind ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad", ["0", "99", "-1", "1.5", "1" * 5_000, "²", "", "  ", "\x00", "knight", "'; drop", "ü" * 2_000, "u", "?", "h"]
)
def test_bad_input_is_asked_again(bad: str) -> None:
    """At the stance, at the attack, at the levels of the attack; then the good answer is taken."""
    code, shown, person = played(lines(bad, "c", bad, "attack", bad, "10", bad), *DUEL)
    assert code == 0
    stance, attack = [prompt.startswith(STANCE) for prompt in person.prompts[:2]], person.prompts[2:4]
    assert stance == [True, True] and attack == ["Your choice: "] * 2
    assert "Knight attacks Duelist (cunning beats agility)" in shown or not bad.strip()
    assert max(map(len, shown.splitlines()[:-1])) <= 80


def test_there_is_no_undo_and_no_hint_for_everything() -> None:
    _, shown, _ = played(lines("u", "h", "h", "3", "q", "no", "q", "yes"), "duel", "--seed", "3")
    assert NO_UNDO in shown


CHOICES = [
    Choice(7, "attack Duelist", ("attack 1",)),
    Choice(8, "attack Rogue", ("attack 2",)),
    Choice(9, "shove Rogue: off-balanced 2", ("shove 2",)),
]


@pytest.mark.parametrize(
    ("typed", "value"), [("1", 7), (" 3 ", 9), ("attack r", 8), ("AT DU", 7), ("attack 2", 8), ("s", 9), ("att rog", 8)]
)
def test_a_choice_is_typed_by_number_name_or_beginning(typed: str, value: int) -> None:
    assert understand(typed, CHOICES) == value


@pytest.mark.parametrize(
    ("typed", "said"),
    [("attack", "could mean attack Duelist; or attack Rogue"), ("rogue", "cannot be chosen here"), ("4", "1 to 3")],
)
def test_what_is_unclear_is_said(typed: str, said: str) -> None:
    with pytest.raises(Unclear, match=said):
        understand(typed, CHOICES)


def test_every_action_of_the_game_has_words() -> None:
    names = heart_rush_v0.parallel_env("giant").get_action_meanings()
    places = range(1, 8)
    found = deeds(dict(enumerate(names)), [f"E{k}" for k in places], [f"A{k}" for k in places])
    words = [choice.words for deed in found for choice in deed.actions]
    assert len(set(words)) == len(names) == sum(len(deed.actions) for deed in found)
    assert not any("_" in line or "{" in line for line in words)


# -- leaving ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leaves", "code", "more"),
    [
        (EOFError, 0, []),
        (KeyboardInterrupt, 130, ["--dice"]),
        pytest.param(EOFError, 0, ["--dice"], marks=pytest.mark.long),
        pytest.param(KeyboardInterrupt, 130, [], marks=pytest.mark.long),
    ],
)
def test_one_may_be_gone_at_every_prompt(leaves: type[BaseException], code: int, more: list[str]) -> None:
    answers = ["", "", "tactician", "c", "attack", "10", "", "", "m", "", "q"]
    kinds = set()
    for k in range(len(answers) + 1):
        found, shown, person = played(lines(*answers[:k], leaves), "--seed", "3", *more)
        assert found == code and "Traceback" not in shown
        assert shown.rstrip().endswith("--seed 3") == ("You are Knight" in shown)
        kinds.add(person.prompts[-1])
    assert {LEAVE, "Your choice: ", "Which (Enter: back): "} <= kinds
    assert ("They show (Enter rolls for you): " in kinds) == bool(more)


def test_leaving_is_confirmed() -> None:
    code, shown, person = played(lines("q", "no", "quit", "y"), *DUEL)
    assert (code, person.prompts.count(LEAVE)) == (0, 2)
    assert shown.index("You stay.") < shown.index("You leave.")


def test_before_the_fight_there_is_nothing_to_confirm() -> None:
    code, shown, person = played(lines("q"), "--seed", "1")
    assert (code, LEAVE in person.prompts, "You leave." in shown) == (0, False, True)


# -- records ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [[], ["--dice"]])
def test_the_record_plays_again(more: list[str], tmp_path: Path) -> None:
    path = tmp_path / "fight.hrr"
    code, shown, _ = played(anything(5), *DUEL, "--record", str(path), *more)
    assert code == 0 and f"Recorded: {path}" in shown
    record = read_record(path)
    check(record)
    assert (record.seed, record.fight) == (3, 0)
    assert {agent: facts["agent"] for agent, facts in record.seats.items()} == {
        "knight_0": "person",
        "duelist_0": "tactician",
    }
    assert bool(record.dice) == bool(more)
    assert record.rewards["knight_0"] == {"You win": 1.0, "You lose": -1.0}[re.findall("You win|You lose", shown)[-1]]


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
    scenario, path = tmp_path / "gifted.toml", tmp_path / "fight.hrr"
    scenario.write_text(GIFTED)
    code, shown, _ = played(anything(5), str(scenario), *DUEL[1:], "--record", str(path))
    assert code == 0 and f"Recorded: {path}" in " ".join(shown.split())
    record = read_record(path)
    check(record)
    assert [own.name for own in record.game.scenario.fighters[1].abilities] == ["baited_attack"]


def test_what_cannot_be_recorded_is_said_before_the_first_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(HeartRushError, match="expected a file for one fight"):
        played(lines(), "--record", str(tmp_path))
    if Path("/proc").is_dir():
        with pytest.raises(HeartRushError, match="no file can be written"):
            played(lines(), "--record", "/proc/fight.hrr")
    too_long_for_a_record = "odd" * 400
    monkeypatch.setitem(registry._REGISTERED, too_long_for_a_record, replace(load("might"), id=too_long_for_a_record))
    shown = io.StringIO()
    person = Answering(lines(), shown)
    with pytest.raises(HeartRushError, match="agent"):
        sitting.play(
            parsed(*DUEL[:-4], "--enemy", too_long_for_a_record, "--record", str(tmp_path / "a.hrr")), person, shown
        )
    assert not person.prompts and not list(tmp_path.iterdir())


def test_a_played_fight_is_filmed(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("pygame")
    path = tmp_path / "fight.gif"
    code, shown, _ = played(anything(5), *DUEL, "--record", str(path))
    assert code == 0 and f"Recorded: {path}" in " ".join(shown.split())
    with image.open(path) as film:
        assert film.n_frames > 5 and film.info["duration"] == 500


def test_a_fight_that_was_left_is_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "fight.hrr"
    assert played(lines("c"), *DUEL, "--record", str(path))[0] == 0
    assert not path.exists()


# -- at a terminal ---------------------------------------------------------------------------------------------------


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "agents"), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, **more}


PROGRAM = """
import argparse, sys
from heartrush_env.app.cli import play
from heartrush_env.app.cli.command import fill
parser = argparse.ArgumentParser()
fill(parser.add_subparsers().add_parser("play"), play)
arguments = parser.parse_args(["play", *sys.argv[1:]])
sys.exit(arguments.run(arguments))
"""


def test_without_a_terminal_play_is_refused_in_a_sentence() -> None:
    """Nobody could answer; a script says that it will."""
    words = (sys.executable, "-m", "heartrush_env.app.cli.main", "play", *DUEL)
    done = finished(*words, input="c\n", text=True, env=environment())
    assert (done.returncode, done.stdout) == (BAD_INPUT, "")
    assert done.stderr == (
        "heartrush: heartrush play: expected a terminal as standard input, got another file; with "
        "--scripted it reads the answers from standard input, one per line.\n"
    )


def test_bytes_that_are_no_text_are_survived() -> None:
    """Through a pipe, where neither input nor output is UTF-8."""
    plain = environment(LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="ascii:strict")
    typed = b"\xff\xfe\xc3\nc\n\xc3\xbc\n10\nq\ny\n"
    done = finished(sys.executable, "-c", PROGRAM, *DUEL, "--scripted", input=typed, env=plain)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"CUNNING" in done.stdout and b"You leave." in done.stdout and done.stdout.isascii()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("more", "colored"), [({"NO_COLOR": ""}, True), *NO_COLORS])
def test_at_a_terminal_the_stance_is_not_echoed(more: dict[str, str], colored: bool | None) -> None:
    """The terminal shows what is typed at other prompts, colors where they are wanted, plain boxes where it is dumb."""
    import pty

    ours, theirs = pty.openpty()
    kind = "dumb" if colored is None else "xterm"
    words, look = (sys.executable, "-c", PROGRAM, *DUEL), environment(TERM=kind, COLUMNS="80", **more)
    with started(*words, stdin=theirs, stdout=theirs, stderr=theirs, env=look) as running:
        os.close(theirs)
        answers = [(b"while you type): ", b"cunnin\n"), (b"Your choice: ", b"shov\n"), (b"while you type): ", b"\x04")]
        seen, at = b"", 0
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux says so at the end
                break
            if not part:
                break
            seen += part
            if answers and seen[at:].endswith(answers[0][0]):
                at = len(seen)
                os.write(ours, answers.pop(0)[1])
        os.close(ours)
        assert running.wait(PATIENCE) == 0 and not answers
    assert b"CUNNING" in seen and b"cunnin\r" not in seen and b"shov\r" in seen
    assert b"Traceback" not in seen
    assert (b"\x1b[1;35m" in seen) == bool(colored)
    assert ("╭".encode() in seen) == (kind != "dumb")
