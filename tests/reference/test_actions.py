"""The reference's maneuvers and action phase against the numbers in the rules' text."""

from __future__ import annotations

from tests.reference.rolls import modifiers
from tests.reference.test_reference import Given, fighter, play, seen, start, to_stances

# --------------------------------------------------------------------------------------------------- maneuvers


def test_the_grapple_of_the_rulebook():
    """You: cunning, helped, 16 by might. The wolf: agility, 12. The wolf is grappled, stuck in your iron grip."""
    you, cleric = fighter("you", "red", might=8), fighter("cleric", "red")
    wolf = fighter("wolf", "blue", might=4, agility=8, weapon="teeth")
    fight, given = start(you, cleric, wolf)
    play(fight, cleric_0="help 1")
    to_stances(fight, you_0="cunning", wolf_0="agility")
    given.more("d8=7 d8=5  d8=8 d8=8 d8=1")  # the wolf is the quicker; its agility is the better die
    play(fight, you_0="grapple 1")
    assert fight.window == "attack"
    assert (seen(fight, "you_0", "grappling"), seen(fight, "wolf_0", "conditions")) == ("wolf_0", {"grappled": 1})


def test_one_free_hand_halves_the_grapple():
    held = fighter("b", "blue")
    for weapon, shield, choice, holds in (("dagger", "none", True, None), ("dagger", "light_shield", False, None)):
        fight, given = start(fighter("a", "red", weapon=weapon, shield=shield), held)
        to_stances(fight, a_0="cunning", b_0="agility")
        assert ("grapple 1" in fight.choices()["a_0"]) == choice
        if choice:
            given.more("d8=8 d6=5  d8=6 d6=1")
            play(fight, a_0="grapple 1")
            assert seen(fight, "a_0", "grappling") == holds  # 7 against 7 is a tie


def test_the_larger_has_advantage_in_a_grapple_and_can_be_climbed():
    fight, given = start(fighter("a", "red"), fighter("b", "blue", size="L2"))
    to_stances(fight, a_0="cunning", b_0="agility")
    assert {"grapple 1", "climb_on 1"} <= set(fight.choices()["a_0"])
    assert "trip 1" not in fight.choices()["a_0"]
    given.more("d8=8 d6=1  d8=2 d6=2 d6=6 d6=6")
    play(fight, a_0="grapple 1")
    assert seen(fight, "a_0", "grappling") is None
    fight, given = start(fighter("a", "red"), fighter("b", "blue", size="L2"))
    to_stances(fight, a_0="cunning", b_0="agility")
    given.more("d8=5 d6=2  d8=5 d6=1")
    play(fight, a_0="climb_on 1")
    assert (seen(fight, "a_0", "climbing"), seen(fight, "b_0", "conditions")) == ("b_0", {"climbed_on": 1})
    a, b = fight.table["a_0"], fight.table["b_0"]
    assert sum(modifiers(fight.table, a, "attack", "might", b).values()) == 3
    assert sum(modifiers(fight.table, b, "attack", "might", a).values()) == -3


def test_hinder():
    fight, given = start(fighter("a", "red"), fighter("b", "blue"))
    to_stances(fight, a_0="cunning", b_0="agility")
    given.more("d4=3")
    play(fight, a_0="dirty_strike 1 weakened")
    assert seen(fight, "b_0", "hits") == [3]
    play(fight)
    assert (seen(fight, "b_0", "hp"), seen(fight, "b_0", "conditions")) == (37, {"weakened": 1})  # faded once
    to_stances(fight, a_0="might", b_0="cunning")
    play(fight, a_0="blind 1")
    assert seen(fight, "b_0", "conditions") == {"blinded": 1}  # fresh, so it is still there
    to_stances(fight, a_0="agility", b_0="might")
    play(fight, a_0="trip 1")
    assert seen(fight, "b_0", "conditions") == {"prone": 1}


def test_disarmed_one_strikes_with_bare_hands_until_it_picks_up():
    fight, given = start(fighter("a", "red", might=12), fighter("b", "blue", weapon="longsword"))
    to_stances(fight, a_0="cunning", b_0="agility")
    given.more("d8=8 d12=12  d8=1 d6=1")
    play(fight, a_0="disarm 1")
    assert (fight.window, seen(fight, "b_0", "armed")) == ("action", False)
    assert fight.table["b_0"].weapon_in_hand.die == 4
    play(fight, b_0="pick_up")
    assert seen(fight, "b_0", "armed") and seen(fight, "b_0", "action") and not seen(fight, "b_0", "interaction")


def test_taunt_replaces_older_rage():
    angry = fighter("b", "blue", conditions={"enraged": {"levels": 3, "source": "c_0"}})
    fight, given = start(fighter("a", "red"), angry, fighter("c", "red"))
    to_stances(fight, a_0="cunning", b_0="agility")
    given.more("d8=8 d4=4  d8=1 d6=1 d8=1 d8=1 d8=1")
    play(fight, a_0="taunt 1")
    assert (seen(fight, "b_0", "conditions"), seen(fight, "b_0", "sources")) == ({"enraged": 1}, {"enraged": "a_0"})


# ------------------------------------------------------------------------------------------------ action phase


def test_equals_roll_for_timing_and_who_is_too_late_fizzles():
    friends = [fighter("a", "red"), fighter("b", "red"), fighter("c", "red", conditions={"burning": 1})]
    fight, given = start(*friends, fighter("d", "blue"))
    given.more("d8=1 d6=1  d8=3 d6=1  d8=2 d6=2")  # a is last; b and c are equal at 4
    given.left += Given("d8=1 d6=1  d8=5 d6=5").left  # and roll again: c before b
    play(fight, a_0="douse 2", b_0="douse 2", c_0="put_out_fire")
    assert [seen(fight, agent, "action") for agent in ("a_0", "b_0", "c_0")] == [True, True, False]
    assert seen(fight, "c_0", "conditions") == {}


def test_half_the_levels_of_a_fire_go_out_rounded_up_and_the_rest_burns():
    fight, given = start(fighter("a", "red", conditions={"burning": 5}), fighter("b", "blue"))
    play(fight, a_0="put_out_fire")
    assert seen(fight, "a_0", "conditions") == {"burning": 2}
    given.more("d6=6 d6=5")
    to_stances(fight)
    assert seen(fight, "a_0", "hits") == [11]
    play(fight)
    assert (seen(fight, "a_0", "hp"), seen(fight, "a_0", "wounds")) == (29, 11)
    assert seen(fight, "a_0", "conditions") == {"burning": 1}


def test_surprise():
    fight, given = start(fighter("a", "red"), fighter("b", "blue", surprised=True))
    assert fight.choices()["b_0"] == ["pass"]
    given.more("d8=8 d6=6 d4=4 d4=4  d8=1 d6=1")
    play(fight, a_0="opportunity 1 might")
    play(fight)
    assert seen(fight, "b_0", "hp") == 20
    assert not seen(fight, "a_0", "action")
    to_stances(fight, a_0="cunning")
    assert (seen(fight, "b_0", "stance"), fight.choices()["a_0"]) == (None, ["pass", "attack 1"])
    play(fight)
    assert fight.state()["round"] == 2
    assert len(fight.choices()["b_0"]) == 4 and seen(fight, "b_0", "conditions") == {}


def test_rising_with_half_a_dash_is_an_opening():
    bow = fighter("d", "blue", weapon="shortbow")
    fight, given = start(fighter("a", "red", conditions={"prone": 1}), fighter("b", "blue"), fighter("c", "blue"), bow)
    assert {"rise", "stand"} <= set(fight.choices()["a_0"])
    play(fight, a_0="stand")
    assert fight.window == "opportunity"
    assert [len(names) for names in fight.choices().values()] == [1, 7, 7, 1]  # by the action or a rush point
    given.more("d8=1 d6=1  d8=1 d6=2")  # b and c go for the same: c is quicker
    given.left += Given("d8=8 d6=6 d4=4 d4=4  d8=1 d6=1 d8=1  d8=1 d6=1 d4=1  d8=4 d6=4 d8=4").left
    play(fight, b_0="opportunity 1 agility", c_0="opportunity 1 might")
    assert seen(fight, "a_0", "hits") == [20]
    play(fight)
    assert (seen(fight, "a_0", "hp"), seen(fight, "a_0", "conditions"), seen(fight, "a_0", "dash")) == (20, {}, False)
    assert [seen(fight, agent, "action") for agent in ("a_0", "b_0", "c_0", "d_0")] == [True, False, False, True]


def test_breaking_free_ignores_the_grapples_own_restraint():
    held = fighter("b", "blue", conditions={"grappled": {"source": "a_0"}, "prone": 1})
    fight, given = start(fighter("a", "red"), held)
    assert {"rise", "stand"}.isdisjoint(fight.choices()["b_0"])
    assert fight.table.restrained(fight.table["b_0"]) == 1
    given.more("d8=4 d6=4  d8=3 d6=4 d8=8")  # the grappler has disadvantage
    play(fight, b_0="break_free")
    assert seen(fight, "a_0", "grappling") is None


def test_a_net_can_be_cut_torn_and_wriggled_out_of():
    netted = fighter("b", "blue", weapon="shortsword", conditions={"entangled": {"source": "a_0"}})
    for name, dice, free in (
        ("cut_free", "d8=3 d6=3 d8=2 d8=2 d8=8", True),
        ("tear_free", "d8=4 d6=5 d8=8", False),
        ("tear_free", "d8=5 d6=5 d8=8", True),
        ("wriggle_free", "d8=3 d6=3 d8=8", True),
    ):
        fight, given = start(fighter("a", "red"), netted)
        given.more(dice)
        play(fight, b_0=name)
        assert (seen(fight, "b_0", "conditions") == {}) == free


def test_a_climber_saves_against_the_damage_it_takes():
    rider = fighter("b", "blue", agility=4, conditions={"creature_climber": {"source": "a_0"}})
    fight, given = start(fighter("a", "red", size="L3"), rider)
    to_stances(fight, a_0="agility", b_0="might")
    given.more("d8=8 d6=6 d4=4 d8=4 d8=3 d8=2  d8=1 d4=1")
    play(fight, a_0="attack 1")
    assert seen(fight, "b_0", "hits") == [4 + 3 + 2 - 2]
    given.more("d8=3 d6=3")
    play(fight)
    assert seen(fight, "b_0", "climbing") is None


def test_a_shrug_does_not_shrink_the_dice_of_its_phase():
    """A shrug leaves the heart dice of its phase as they are (R-13), a climber's save in the phase included."""
    rider = fighter("b", "blue", conditions={"creature_climber": {"source": "a_0"}})
    fight, given = start(fighter("a", "red", size="L3"), rider)
    to_stances(fight, a_0="agility", b_0="might")
    given.more("d8=8 d6=6 d4=4 d8=4 d8=3 d8=2  d8=1 d6=1")
    play(fight, a_0="attack 1")
    given.more("d8=3 d6=1")
    play(fight, b_0="shrug")
    assert (seen(fight, "b_0", "climbing"), seen(fight, "b_0", "heart")) == ("a_0", 6)


def test_suffocating_confused_and_helped():
    a = fighter("a", "red", conditions={"suffocating": 1, "confused": 2, "prone": 1})
    fight, given = start(a, fighter("b", "red"), fighter("c", "blue", weapon="shortbow"))
    given.more("d6=4")
    play(fight, a_0="stand")
    play(fight, a_0="take")
    assert seen(fight, "a_0", "hp") == 36
    assert fight.choices()["a_0"] == ["pass"]  # it has moved
    play(fight, b_0="help 1")
    assert "help 1" in fight.choices()["a_0"]  # help ends confusion
    assert seen(fight, "a_0", "helped") == 1
    given.more("d6=1")
    to_stances(fight)
    play(fight)
    assert seen(fight, "a_0", "helped") == 0


def test_what_an_attack_ends():
    a = fighter("a", "red", conditions={"hidden": 1, "enraged": {"levels": 1, "source": "b_0"}})
    b = fighter("b", "blue", heart=4, conditions={"charmed": {"levels": 2, "source": "a_0"}})
    fight, given = start(a, b)
    to_stances(fight, a_0="agility", b_0="agility")
    assert fight.choices()["b_0"] == ["pass"]
    given.more("d8=8 d6=6 d4=4  d4=1 d6=1" + " d6=6" * 5)  # so it is no contest; b does not see a
    play(fight, a_0="attack 1")
    assert (seen(fight, "a_0", "conditions"), seen(fight, "b_0", "conditions")) == ({}, {})
