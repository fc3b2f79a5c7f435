"""The examples of the rule text, played on a map through the public API with given dice and without abilities."""

from typing import Any

from tests.games.heart_rush.rules.position import Position


def scene_of(rows: list[str], fighters: dict[str, dict[str, Any]], dice: list[int], **scenario: Any) -> Position:
    """Return a fight on a map in which the test names the actions; a fighter without an action does nothing."""
    red = {name: fighter for name, fighter in fighters.items() if name in ("orc", "wolf", "enemy")}
    blue = {name: fighter for name, fighter in fighters.items() if name not in red}
    return Position(blue, red, dice, battlefield={"map": rows}, **scenario)


def test_the_example_action_phase() -> None:
    """ "An enemy archer uses their action to dash to high ground. You then dash behind a pillar (action spent). When
    everyone's done acting, the engagement begins."

    The entry on the dash contradicts the example: "your first dash is free", so both still have their action (R-88).
    """
    rows = ["......", "......", "^..o..", "......", "......"]
    fighters = {"you": {"at": [2, 4]}, "enemy": {"at": [1, 0], "agility": 10, "weapon": "longbow"}}
    # Heart d8, agility d10, bow d12, one more die for being hindered; then your heart d8 and agility d6.
    scene = scene_of(rows, fighters, [7, 9, 8, 3, 3, 4])
    scene.play(enemy="dash -1,2")
    scene.play(you="dash 2,-2")
    assert all(scene.fighter(name)["action"] and not scene.fighter(name)["dash"] for name in fighters)
    scene.play()  # everyone is done acting
    scene.play(you="stance might", enemy="stance agility")
    # From the enemy's upper corner two of the four lines to you cross the pillar: two levels of cover, R-62. High
    # ground is one level the other way, R-64: the highest of 7, 9, 8 and 3 does not count.
    scene.play(enemy="attack 1")
    shot = scene.told("attack")[-1]
    assert shot["attack_causes"] == {"cover": -2, "highground": 1}
    assert (shot["attack_roll"], shot["defense_roll"], shot["damage"]) == (18, 7, 11) and scene.has_used_its_dice()


def test_the_grappling_example() -> None:
    """ "You choose cunning, wolf chooses agility. Might check with advantage (ally helped earlier): 16. Agility check:
    12. Wolf is grappled, stuck in your iron grip while the cleric escapes."
    """
    rows = ["........"] * 4
    fighters = {
        "cleric": {"at": [1, 1], "hp_now": 9},
        "you": {"at": [2, 1], "might": 10},  # both hands are free
        "wolf": {"at": [5, 1], "agility": 8, "weapon": "teeth"},
    }
    # The quicker wolf rolls first, heart d8 and agility d8; then your heart d8 and might d10, one more for the help.
    scene = scene_of(rows, fighters, [5, 7, 7, 9, 2])
    scene.play(cleric="help 1")
    scene.play(wolf="dash -2,0")  # charges forward
    scene.play()
    scene.play(you="stance cunning", wolf="stance agility")
    scene.play(you="grapple 1")
    grapple = scene.told("maneuver")[-1]
    assert (grapple["maneuver"], grapple["success"]) == ("grapple", True)
    assert (grapple["attack_roll"], grapple["defense_roll"]) == (16, 12)  # 7 + 9 without the 2; 5 + 7
    while scene.legal("cleric") == ["pass"]:
        scene.play()
    # The next round: the wolf may neither run nor step, and the cleric is gone.
    assert not [name for name in scene.legal("wolf") if name.startswith(("dash", "sidestep"))]
    scene.play(cleric="dash -1,1")
    assert scene.fighter("cleric")["at"] == [0, 2] and scene.has_used_its_dice()


def test_the_example_of_sand_in_the_eyes() -> None:
    """ "Sand in the eyes (Blind effect). Orc gains 1 level of blinded. His next attack suffers disadvantage." """
    fighters = {"companion": {"at": [2, 1]}, "you": {"at": [1, 0]}, "orc": {"at": [1, 1], "might": 10}}
    # The orc's heart d8, might d10, claws d8 and one more: the highest does not count. The companion's heart and might.
    scene = scene_of(["...", "...", "..."], fighters, [6, 9, 5, 7, 4, 3])
    scene.play()
    scene.play(companion="stance cunning", you="stance agility", orc="stance might")
    scene.play(you="blind 1")
    while "attack 1" not in scene.legal("orc"):
        scene.play()
    scene.play(orc="attack 1")
    blow = scene.told("attack")[-1]
    assert (blow["attack_causes"], blow["attack_roll"], blow["defense_roll"]) == ({"blinded": -1}, 18, 7)


def test_the_long_example() -> None:
    """The events of the engagement chapter's example come in its order, with each fighter's place on the map."""
    rows = ["..........."] * 6
    fighters = {
        "you": {"at": [0, 2], "agility": 8, "weapon": "shortsword"},
        "archer": {"at": [0, 4], "agility": 10, "weapon": "longbow"},
        "orc": {"at": [8, 2], "might": 10, "weapon": "greataxe"},
        "wolf": {"at": [10, 4], "weapon": "teeth"},
    }
    wolf_bites = [5, 6, 3, 2, 4, 3]  # heart, cunning, teeth and one more d4 for piercing: 16; your d8 and d8: 7
    archer_shoots = [7, 9, 8, 3, 4]  # heart, agility, bow: 24; the orc's d8 and d6: 7
    you_strike = [6, 7, 4, 5, 8, 2, 1]  # heart, agility, sword, slashing, off-balanced's: 22 without the 8; the orc's 3
    scene = scene_of(rows, fighters, wolf_bites + archer_shoots + you_strike, victory="last_standing")

    # "You dash toward the undead orc, spending your action." The first dash is free, R-88.
    scene.play(you="dash 7,0")
    # "The wolf dashes adjacent to you": one step within your reach is no opening, R-67.
    scene.play(wolf="dash -2,-1")
    # "After a pause where no one else acts, she decides to dash to better position": R-2.
    scene.play(archer="dash 2,0")
    assert [event["fighter"] for event in scene.told("move")] == ["you_0", "wolf_0", "archer_0"]
    scene.play()  # "With all actions resolved, the engagement begins automatically."
    scene.play(you="stance agility", archer="stance agility", orc="stance might", wolf="stance cunning")

    # "The wolf's cunning beats your agility. It bites, inflicting off-balanced." The defensive roll is an ability; here
    # you shrug: 16 - 7 = 9, halved 5 (R-10), and the heart die falls.
    enemies = {"you": 1, "archer": 2, "orc": 1}  # places: the wolf's first enemy is you, yours the orc
    scene.play(wolf=f"attack {enemies['you']} off_balanced")
    scene.play(you="shrug")
    assert (scene.fighter("you")["hp"], scene.fighter("you")["heart"]) == (35, 6)

    # "Your archer goes first. The orc burns stamina. You sidestep free, then strike." The damage lands at the phase's
    # end (R-25, R-26), so the orc's stamina comes after your blow.
    scene.play(archer="attack 1", you="sidestep n")
    assert scene.fighter("you")["at"] == [7, 1]
    assert "trip 1" in scene.legal("orc")  # you are off-balanced and step beside it, R-162; it lets you
    scene.play()
    scene.play(you="attack 1")
    blows = [(event["attacker"], event["damage"]) for event in scene.told("attack")]
    assert blows == [("wolf_0", 9), ("archer_0", 17), ("you_0", 19)]
    while "shrug" not in scene.legal("orc"):
        scene.play()
    scene.play(orc="shrug")  # 17 halved is 9
    scene.play(orc="take")
    assert (scene.fighter("orc")["hp"], scene.fighter("orc")["heart"]) == (12, 6)  # 40 - 9 - 19

    # "The orc's might stance leaves him with no valid targets." Nobody is asked; "new round begins, everyone regains
    # their action".
    assert scene.events[-1]["type"] != "end" and [event["round"] for event in scene.events if "round" in event] == [
        1,
        2,
    ]
    assert len([event for event in scene.told("attack")]) == 3
    assert all(scene.fighter(name)["action"] and scene.fighter(name)["dash"] for name in fighters)
    assert scene.has_used_its_dice()
