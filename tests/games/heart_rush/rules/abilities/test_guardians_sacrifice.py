"""Guardian's Sacrifice: a fighter that takes another's place before the dice of an attack."""

import pytest

from heartrush_env.games.heart_rush.words.narrator import Narrator
from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Guardian's Sacrifice")
GUARDIAN: Fields = {"abilities": ["guardians_sacrifice"]}
STAY, TRADE = "pick 0", "pick 1"
BLOW: Dice = [(7, 6, 5), (1, 1)]  # 18 against 2


def attacked(
    page: str,
    dice: Dice = BLOW,
    *,
    stance: str = "might",
    knight: str = "agility",
    guardian: Fields | None = None,
    choice: str = "attack 2",
    rogue: Fields | None = None,
    rules: Fields | None = None,
    **fighters: Fields,
) -> Table:
    """Let the rogue attack the page, beside which the knight stands; the knight is asked whether it steps in."""
    own = {"knight": {**GUARDIAN, **(guardian or {})}, "page": {"team": "blue"}, **fighters, "rogue": rogue or {}}
    table = Table(own, dice, rules)
    return table.engage(knight=knight, page=page, rogue=f"{stance}: {choice}")


def on_field(field: str, dice: Dice = BLOW, *, page: str = "cunning", knight: str = "agility") -> Table:
    """Let the rogue attack the page in might, on a map."""
    table = on_map(field, {"knight": GUARDIAN, "page": {"team": "blue"}, "rogue": {}}, dice)
    return table.engage(knight=knight, page=page, rogue="might: attack 2")


# ----------------------------------------------------------------------------------------------- defense and damage


def test_the_guardian_rolls_the_defense_and_takes_the_damage() -> None:
    table = attacked("cunning", guardian={"armor": "light", "shield": "light_shield"})
    assert (table.window, table.choosers(), table.legal("knight")) == ("pick", {"knight"}, ["pass", STAY])
    table.play(knight=STAY)
    assert table.rolls() == (18, 2 + 3)
    assert (table.last("attack")["target"], table.last("attack")["hurt"]) == ("knight", "knight")
    table.finish_round()
    assert (table.hp("knight"), table.hp("page"), table.faults()) == (40 - 13, 40, [])


@pytest.mark.parametrize("answer", ["pass", None])
def test_it_may_stay_where_it_is_and_does_so_by_itself(answer: str | None) -> None:
    table = attacked("cunning")
    table.play(**({"knight": answer} if answer else {}))
    assert table.rolls() == (18, 2)
    table.finish_round()
    assert (table.hp("knight"), table.hp("page")) == (40, 40 - 16)


@pytest.mark.heading("Defensive Stance")
@pytest.mark.parametrize(
    ("page", "knight", "damage"),
    [("defensive", "agility", 8), ("cunning", "defensive", 16), ("defensive", "defensive", 8)],
)
def test_the_half_is_that_of_the_protected_creature(page: str, knight: str, damage: int) -> None:
    table = attacked(page, knight=knight).play(knight=STAY).finish_round()
    assert (table.hp("knight"), table.hp("page")) == (40 - damage, 40)


def test_no_half_is_that_of_a_protected_creature_without_a_stance() -> None:
    fighters = {"knight": GUARDIAN, "page": {"team": "blue", "conditions": {"stunned": 1}}, "rogue": {}}
    table = Table(fighters, BLOW).engage(knight="defensive", rogue="might: attack 2")
    table.play(knight=STAY)
    assert table.fighter("page")["stance"] is None
    table.finish_round()
    assert (table.hp("knight"), table.hp("page")) == (40 - 16, 40)


@pytest.mark.heading("Cunning Stance")
def test_levels_that_were_named_for_the_protected_creature_fall_on_the_guardian() -> None:
    table = attacked("agility", knight="might", stance="cunning", choice="attack 2 weakened+weakened")
    table.play(knight=STAY).finish_round()
    assert (table.history("knight", "weakened")[0], table.conditions("page")) == (2, {})


# ------------------------------------------------------------------------- the stance that abilities of others look at


@pytest.mark.heading("Committed Blows")
@pytest.mark.parametrize(
    ("page", "knight", "dice", "rolls"),
    [
        ("cunning", "agility", [(7, 6, 5), (4,), (6, 5), (3,)], (18 + 4, 11 - 3)),
        ("defensive", "cunning", [(7, 6, 5), (6, 5)], (18, 11)),
    ],
)
def test_blows_are_committed_against_the_protected_stance(
    page: str, knight: str, dice: Dice, rolls: tuple[int, int]
) -> None:
    owner = {"talents": ["committed_blows"]}
    table = attacked(page, dice, knight=knight, guardian=owner, rogue=owner).play(knight=STAY)
    assert table.rolls() == rolls


@pytest.mark.heading("Sundering Blows")
@pytest.mark.parametrize(("page", "knight", "loss"), [("cunning", "agility", 2), ("defensive", "cunning", 0)])
@pytest.mark.interplay("guardians_sacrifice", "sundering_blows")
def test_blows_on_protected_cunning_sunder_the_armor_of_the_guardian(page: str, knight: str, loss: int) -> None:
    rogue = {"talents": ["sundering_blows"], "weapon": weapon("heavy")}
    table = attacked(page, [*BLOW, *BLOW], knight=knight, guardian={"armor": "medium"}, rogue=rogue)
    table.play(knight=STAY).finish_round()
    table.engage(knight="cunning", rogue="might: attack 1")
    assert table.rolls() == (18, 2 + 4 - loss)


@pytest.mark.heading("Shield Master")
@pytest.mark.parametrize(("page", "knight", "damage"), [("defensive", "cunning", 4), ("cunning", "defensive", 16)])
@pytest.mark.interplay("guardians_sacrifice", "shield_master")
def test_a_master_of_the_shield_guards_better_behind_the_defensive_stance_of_the_protected(
    page: str, knight: str, damage: int
) -> None:
    guardian = {"destiny_talents": ["shield_master"]}
    assert attacked(page, knight=knight, guardian=guardian).play(knight=STAY).finish_round().hp("knight") == 40 - damage


@pytest.mark.heading("Dual Wielder")
@pytest.mark.parametrize(("page", "knight", "more"), [("agility", "cunning", (4,)), ("might", "agility", ())])
def test_two_weapons_meet_their_own_stance_in_the_protected(page: str, knight: str, more: tuple[int, ...]) -> None:
    sword, dagger = weapon("light", damage_type="slashing"), weapon("ultralight", damage_type="piercing")
    rogue = {"destiny_talents": ["dual_wielder"], "weapon": sword, "spare_weapon": dagger}
    dice = [(7, 6, 5, 5), more, (1, 1)]
    table = attacked(page, dice, stance="agility", knight=knight, rogue=rogue, rules={"contested": "mutual"})
    assert table.play(knight=STAY).rolls() == (23 + sum(more), 2)


@pytest.mark.heading("Body Shield")
@pytest.mark.parametrize(
    ("page", "knight", "own", "captive"),
    [
        ("defensive", "might", 4, 8),  # 8 are left of 16: the owner takes half of its share, the captive all of its own
        ("agility", "defensive", 8, 8),
    ],
)
def test_a_captive_shares_what_the_stance_of_the_protected_leaves(
    page: str, knight: str, own: int, captive: int
) -> None:
    held = {"team": "red", "conditions": {"grappled": {"levels": 1, "source": "knight"}}}
    guardian = {"talents": ["body_shield"], "rush": 1}
    dice = [(7, 6, 5), (1, 1, 8)]  # whoever holds a creature drops the highest of its dice
    rules = {"contested": "mutual"}
    table = attacked(page, dice, stance="agility", knight=knight, guardian=guardian, rules=rules, fox=held)
    table.play(knight=STAY).play(knight="use a").finish_round()
    assert (table.hp("knight"), table.hp("fox")) == (40 - own, 40 - captive)


# --------------------------------------------------------------------------------------------------- whom and when


def test_it_protects_one_creature_a_round_however_often_it_is_attacked() -> None:
    fighters: dict[str, Fields] = {"knight": GUARDIAN, "page": {"team": "blue"}, "monk": {"team": "blue"}}
    fighters |= {"rogue": {"agility": 10}, "fox": {"agility": 8}, "wolf": {}}
    table = Table(fighters, [*BLOW, *BLOW, *BLOW, *BLOW])
    table.engage(knight="agility", page="cunning", monk="cunning", rogue="might", fox="might", wolf="might")
    table.pass_to("attack", "might").play(rogue="attack 2", fox="attack 3", wolf="attack 2")
    assert table.window == "pick"
    table.play(knight=STAY)
    assert table.window == "pick", "the monk is another creature, so this is the wolf"
    table.play(knight=STAY).finish_round()
    assert [table.hp(name) for name in ("knight", "page", "monk")] == [40 - 32, 40, 40 - 16]
    stances = {"knight": "agility", "page": "cunning", "rogue": "agility", "fox": "agility", "wolf": "agility"}
    table.engage(monk="cunning", **{**stances, "rogue": "might"}).pass_to("attack", "might").play(rogue="attack 3")
    assert table.window == "pick", "in the next round it may be another one"
    table.play(knight="pass").finish_round()


@pytest.mark.heading("Several Attacks")
def test_a_second_attack_on_the_same_target_is_one_on_the_protected_creature() -> None:
    own: dict[str, Fields] = {"knight": GUARDIAN, "page": {"team": "blue"}, "rogue": {"abilities": ["several_attacks"]}}
    table = Table(own, [*BLOW, *BLOW]).engage(knight="agility", page="cunning", rogue="might: attack 2")
    table.play(knight=STAY)
    assert (table.window, table.last("roll")["target"]) == ("pick", "page")
    table.play(knight="pass").finish_round()
    assert (table.hp("knight"), table.hp("page")) == (40 - 16, 40 - 16)


@pytest.mark.heading("Everywhere")
def test_a_further_attack_on_the_guardian_that_was_coming_before_stays_one_on_it() -> None:
    """The rogue attacks the monk and everybody beside it: the page, for whom the knight stands in, and the knight."""
    own: dict[str, Fields] = {"page": {"team": "blue"}, "knight": GUARDIAN | {"team": "blue"}, "monk": {"team": "blue"}}
    table = Table({**own, "rogue": {"abilities": ["everywhere"]}}, [*BLOW, *BLOW, *BLOW])
    table.engage(page="cunning", knight="cunning", monk="cunning", rogue="might: attack 3")
    assert table.window == "pick", "the knight may stand in for the monk"
    table.play(knight="pass")
    assert (table.window, table.last("roll")["target"]) == ("pick", "page")
    table.play(knight=STAY)
    assert table.window == "shrug", "the attack on the knight itself is none on the page"
    table.finish_round()
    assert [table.hp(name) for name in ("page", "knight", "monk")] == [40, 40 - 2 * 16, 40 - 16]


@pytest.mark.heading("Same Stance Combat")
def test_a_striker_whose_attack_it_has_taken_has_attacked_it() -> None:
    """Where a contest needs the attacks of both, the attack of the guardian on this striker is one (R-264)."""
    dice = [*BLOW, (1, 1, 1), (2, 2, 2)]
    table = Table(
        {"knight": GUARDIAN, "page": {"team": "blue"}, "rogue": {"agility": 8}}, dice, {"contested": "mutual"}
    )
    table.engage(page="cunning", knight="might", rogue="might").play(knight="attack 1", rogue="attack 2")
    table.play(knight=STAY)
    assert [event["contested"] for event in table.events_of("attack")] == [False, True]


@pytest.mark.parametrize(
    ("guardian", "stances"),
    [
        ({"conditions": {"stunned": 1}}, ("cunning", "might")),
        ({}, ("might", "might")),  # a contest: the page attacks, too
        ({"team": "red"}, ("cunning", "might")),
    ],
)
def test_it_is_not_asked(guardian: Fields, stances: tuple[str, str]) -> None:
    dice = [(7, 6, 5), (1, 1, 1)] if stances[0] == stances[1] else BLOW
    own = {"knight": {**GUARDIAN, **guardian}, "page": {"team": "blue"}, "rogue": {}}
    table = Table(own, dice)
    place = 1 if guardian.get("team") == "red" else 2
    table.engage(page=stances[0], rogue=f"{stances[1]}: attack {place}")
    assert table.window == "shrug"


@pytest.mark.heading("Engaging the Enemy")
def test_it_does_not_stand_in_from_outside_the_engagement() -> None:
    fighters = {"knight": GUARDIAN, "page": {"team": "blue"}, "rogue": {"team": "red"}}
    table = Table(fighters, [3, *BLOW], {"edition": "classic"}, heroes=["blue"])
    table.play(rogue="engage 2").pass_to("stance").play(page="stance cunning", rogue="stance might")
    table.pass_to("attack").play(rogue="attack 2")
    assert (table.window, table.choosers()) == ("shrug", {"page"})


def test_it_does_not_protect_itself() -> None:
    assert attacked("cunning", knight="cunning", choice="attack 1").window == "shrug"


def test_the_first_of_two_guardians_stands_in() -> None:
    table = attacked("cunning", squire={**GUARDIAN, "team": "blue"})
    assert table.choosers() == {"knight", "squire"}
    table.play(knight=STAY, squire=STAY).finish_round()
    assert [table.hp(name) for name in ("knight", "page", "squire")] == [40 - 16, 40, 40]


# ------------------------------------------------------------------------------------------------------------- maps


BELOW = ".......\n...PR..\n...K...\n.......\n......."


@pytest.mark.heading("Might Bonus > Melee")
@pytest.mark.parametrize(
    ("answer", "knight", "page"), [(STAY, (1, 4), (3, 1)), (TRADE, (1, 1), (3, 2)), ("pass", (3, 2), (1, 1))]
)
def test_the_push_of_might_over_the_protected_creature_falls_on_the_guardian(
    answer: str, knight: tuple[int, int], page: tuple[int, int]
) -> None:
    table = on_field(BELOW, [(3, 2, 1), (3, 2)])
    assert table.legal("knight") == ["pass", STAY, TRADE]
    table.restore().play(knight=answer).finish_round()
    assert (at(table, "knight"), at(table, "page"), table.faults()) == (knight, page, [])
    assert (table.hp("knight"), table.hp("page")) == ((40, 39) if answer == "pass" else (39, 40))


@pytest.mark.heading("Might Bonus > Melee")
@pytest.mark.parametrize(("page", "knight"), [("defensive", "cunning"), ("defensive", "defensive")])
def test_might_that_does_not_beat_the_protected_creature_pushes_nobody(page: str, knight: str) -> None:
    table = on_field(BELOW, [(3, 2, 1), (3, 2)], page=page, knight=knight).play(knight=STAY).finish_round()
    assert (at(table, "knight"), table.hp("knight")) == ((3, 2), 39)


def test_it_must_be_adjacent() -> None:
    assert on_field(".......\nK..PR..\n.......").window == "shrug"


def test_the_narrator_says_who_is_attacked_before_the_dice() -> None:
    table = attacked("cunning")
    narrator = Narrator(table._fights.game.scenario)
    agents = dict(zip(table.names, narrator.known, strict=True))
    event = {**table.last("roll"), "attacker": agents["rogue"], "target": agents["page"]}
    line = str(narrator.tell([event])[-1])
    assert line == f"    {narrator.name(agents['rogue'])} is about to attack {narrator.name(agents['page'])}."
    table.play(knight="pass").finish_round()


# --------------------------------------------------------------------------------------------------- with others


@pytest.mark.heading("Violent Defense")
@pytest.mark.interplay("guardians_sacrifice", "violent_defense")
def test_it_defends_with_its_own_abilities() -> None:
    guardian = {"abilities": ["guardians_sacrifice", "violent_defense"], "rush": 1}
    table = attacked("cunning", [(1, 1, 1), (5, 4, 3)], guardian=guardian)
    table.play(knight=STAY)
    assert table.window == "instant"
    table.play(knight="use b")
    assert table.rolls() == (3, 12)
    table.finish_round()
    assert (table.hp("rogue"), table.hp("knight"), table.hp("page")) == (40 - 9, 40, 40)


@pytest.mark.heading("Hamstring")
@pytest.mark.parametrize(("stance", "damage", "beaten"), [("defensive", 8, False), ("cunning", 16, True)])
def test_what_beats_the_protected_creature_does_so_in_that_engagement_alone(
    stance: str, damage: int, beaten: bool
) -> None:
    """In the next engagement of a classic round, the rogue meets the stance of the guardian itself."""
    rogue = {"team": "red", "abilities": ["wolf.hamstring"]}
    fighters = {"knight": GUARDIAN, "page": {"team": "blue"}, "monk": {"team": "blue"}, "rogue": rogue}
    table = Table(fighters, [3, *BLOW, *BLOW], {"edition": "classic"}, heroes=["blue"])  # the rogue's side begins
    table.play(rogue="engage 1").play(page="enter").pass_to("stance").play(page="stance cunning", rogue="stance might")
    table.pass_to("attack").play(rogue="attack 2").play(knight=STAY).pass_to("action")
    levels = table.conditions("knight")["off_balanced"]
    assert (levels > 0, table.hp("knight"), table.hp("page")) == (True, 40 - 16, 40)
    table.play(knight="engage 1").pass_to("stance").play(knight=f"stance {stance}", rogue="stance might")
    table.pass_to("attack").play(rogue="attack 1").pass_to("action")
    assert (table.hp("knight"), table.conditions("knight")["off_balanced"] > levels) == (40 - 16 - damage, beaten)
