"""`heartrush play`: whole fights by scripted input, secrecy, bad input, leaving, and records."""

import contextlib
import io
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
from heartrush_agents.heart_rush.characters.cast import CHARACTERS

from heartrush_env import heart_rush_v0
from heartrush_env.app.cli import play as command
from heartrush_env.app.cli.playing import opponents, sitting
from heartrush_env.app.cli.playing.asking import LEAVE, NO_UNDO
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.words.menu import deeds
from heartrush_env.records import check, read_record
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.menus import Choice, Unclear, understand
from tests.app.cli.scripted import DUEL, SHRUG, STANCE, Answering, anything, lines, parsed, played, written

REVEAL = " The reveal "
HIDING = ("duel", "--seat", "knight_0", "--enemy", "defensive", "--seed", "3")


# -- whole fights ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "seat", "more"),
    [
        ("duel", "knight_0", []),
        ("duel", "duelist_0", ["--dice"]),
        ("brawl", "rogue_0", ["--ally", "uniform"]),
        pytest.param("mirror_duel", "fencer_1", ["--dice"], marks=pytest.mark.long),
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
    assert shown.index("long sword d12") < shown.index("Which fighter do you play?"), "figures come first"
    assert re.search(r"^ *Knight +blue +40 +d8 +d6 +d6 +d8 +4 +long sword d12", shown, re.MULTILINE)
    menu = shown.split("Which enemy?")[1].split("Your choice")[0]
    listed = re.findall(r"^ *\d+ ([a-z_]+)  +([★*]*) +(\S.+?)\. ", menu, re.MULTILINE)
    people = opponents.characters(heart_rush_v0.parallel_env("duel").game)
    assert [(id, name) for id, _, name in listed] == [(each.agent.id, each.name) for each in people]
    assert {each.agent.id for each in people} == set(CHARACTERS)
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
    menu = shown.split("Which enemy?")[2].split("Your choice")[0]
    listed = re.findall(r"^ *\d+ ([a-z_0-9]+)  +([a-z ]+?)(?:  |$)", menu, re.MULTILINE)
    words = [word for _, word in listed]
    ranked = opponents.ranked(heart_rush_v0.parallel_env("duel").game)
    assert [id for id, _ in listed] == [each.agent.id for each in ranked]
    scores = measured()["strengths"]["scores"]
    rated = [scores[id][0] for id, _ in listed if id in scores]  # slow agents have no measured strength
    assert rated == sorted(rated)
    assert words[0] == "harmless" and sorted(words, key=words.index) == words and len(set(words)) > 3
    said = " ".join(shown.split())
    assert "or duelist@easy, duelist@normal" in said
    assert "uniform (fair): Takes the three attacking stances equally often" in said
    assert re.search(r"duelist@easy wins \d+ % against uniform", said)
    assert "You fight against Duelist (duelist@easy)." in said and "--enemy duelist@easy" in said
    assert max(map(len, shown.splitlines()[:-1])) <= 80


def test_each_enemy_may_have_an_agent_of_its_own() -> None:
    """Agents are chosen one by one or by --enemy, and the command shown at the end sets up the same enemies again."""
    _, shown, _ = played(lines("each", "guardian@5", "might"), "brawl", "--seat", "knight_0", "--seed", "1")
    said = " ".join(shown.split())
    foes = [sheet for sheet in load_scenario("brawl").fighters if sheet.team != "blue"]
    assert [f"Which enemy plays {sheet.name}?" in said for sheet in foes] == [True, True]
    against = f"against {foes[0].name} (guardian@5), {foes[1].name} (might)."
    again = shown.rstrip().splitlines()[-1].partition("heartrush play ")[2].split()
    assert again[3:7] == ["--enemy", f"{foes[0].agent}=guardian@5", "--enemy", f"{foes[1].agent}=might"]
    _, other, _ = played(lines(), *again)
    assert against in said and against in " ".join(other.split())
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
    """The player wants the same fight again, the other seat, another enemy, and no more; every fight is recorded."""
    wanted = iter(["again", "seat", "enemy", ""])

    def answer(prompt: str) -> str:
        if prompt == "Your choice (Enter: no): ":
            return next(wanted)
        if "swordmaster@5" in prompt:
            return "default"
        return "m" if STANCE in prompt else "" if "Enter" in prompt else "1"

    code, shown, _ = played(answer, *HIDING, "--record", str(tmp_path / "fight.hrr"), watched=True)
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
    _, shown, person = played(anything(5), *HIDING)
    assert "Another fight?" not in shown and "Enter: no" not in person.prompts[-1]


def test_nobody_need_answer_whether_there_is_another_fight() -> None:
    choose = anything(5)
    code, shown, _ = played(lambda asked: EOFError if "Enter: no" in asked else choose(asked), *HIDING, watched=True)
    assert code == 0 and "Another fight?" in shown and "The input has ended" not in shown


def three(tmp_path: Path) -> tuple[str, ...]:
    """Write a fight that goes on once the player is out, and return the words that start it."""
    third = SHRUG[SHRUG.index("[[fighter]]") : SHRUG.rindex("[[fighter]]")].replace('"hero"', '"friend"')
    all_three = SHRUG.replace('heroes = ["blue"]', "") + third.replace("hp = 25", "hp = 60")
    words = ("--seat", "hero", "--enemy", "might", "--ally", "might", "--seed", "1")
    return (written(tmp_path / "three.toml", all_three), *words)


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


# -- secrets ---------------------------------------------------------------------------------------------------------


class Planned(Player):
    """An agent that takes the planned stances, and leaves all other choices to the defensive agent."""

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
    """Return what was shown before each reveal, against an enemy with a plan, when every hint is asked for."""
    register(Agent("planned", "Has a plan.", lambda game: Planned(game, plan)))
    hinted = {"now": False}

    def answer(prompt: str) -> str | type[BaseException]:
        if "(" in prompt and STANCE in prompt and not hinted["now"]:
            hinted["now"] = True
            return "h"
        hinted["now"] = False
        return "defensive" if STANCE in prompt else "2" if prompt == "Your choice: " else ""

    shown = io.StringIO()
    with contextlib.suppress(IndexError):  # the plan is at its end
        played(answer, "duel", "--seat", "knight_0", "--enemy", "planned", "--seed", "4", *words, shown=shown)
    whole = shown.getvalue()
    return [whole[: found.start()] for found in re.finditer(REVEAL, whole)]


@pytest.mark.parametrize("more", [[], ["--dice"]])
def test_nothing_tells_the_enemys_stance_before_the_reveal(more: list[str]) -> None:
    """Before the reveal, the same text is shown whichever stance the enemy is about to take."""
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
    assert "Cunning beats agility: a feint catches the quick. You may attack Duelist, naming up to two levels" in said
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
    assert not re.search(r" \d+$", menu.split("Your choice")[0], re.MULTILINE)  # a number is not cut off from its word


# -- input of every kind ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad", ["0", "99", "-1", "1.5", "1" * 5_000, "²", "", "  ", "\x00", "knight", "'; drop", "ü" * 2_000, "u", "?", "h"]
)
def test_bad_input_is_asked_again(bad: str) -> None:
    """Bad input is refused at the stance, the attack and the levels of the attack; the good answer is then taken."""
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
        pytest.param(KeyboardInterrupt, 130, ["--dice"], marks=pytest.mark.long),
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


def test_leaving_is_confirmed_once_the_fight_has_begun() -> None:
    code, shown, person = played(lines("q", "no", "quit", "y"), *DUEL)
    assert (code, person.prompts.count(LEAVE)) == (0, 2)
    assert shown.index("You stay.") < shown.index("You leave.")
    code, shown, person = played(lines("q"), "--seed", "1")
    assert (code, LEAVE in person.prompts, "You leave." in shown) == (0, False, True)


# -- records ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [[], pytest.param(["--dice"], marks=pytest.mark.long)])
def test_the_record_plays_again(more: list[str], tmp_path: Path) -> None:
    path = tmp_path / "fight.hrr"
    code, shown, _ = played(anything(5), *DUEL, "--record", str(path), *more)
    assert code == 0 and f"Recorded: {path}" in shown
    record = read_record(path)
    check(record)
    assert (record.seed, record.fight) == (3, 0)
    seated = {agent: facts["agent"] for agent, facts in record.seats.items()}
    assert seated == {"knight_0": "person", "duelist_0": "tactician"}
    assert bool(record.dice) == bool(more)
    assert record.rewards["knight_0"] == {"You win": 1.0, "You lose": -1.0}[re.findall("You win|You lose", shown)[-1]]


def test_what_cannot_be_recorded_is_said_before_any_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
