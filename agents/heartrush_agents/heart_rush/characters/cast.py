"""The twelve characters: enemies with a name, a temper in numbers, a taste in prey, and ten levels.

To add a character, add an entry to CHARACTERS.
"""

from __future__ import annotations

from typing import Any

from heartrush_agents.base import Agent, Player
from heartrush_agents.heart_rush.characters.dials import Character, Dials, Prey
from heartrush_agents.heart_rush.characters.player import enemy, make
from heartrush_agents.heart_rush.exact import equilibrium
from heartrush_agents.heart_rush.tables import scenario_of
from heartrush_env.tabletop.game import Game

CHARACTERS = {  # by id, in the order in which they are listed
    "swordmaster": Character(
        name="Serafine the Patient",
        says="A patient duelist: never in a hurry, never readable, and never wrong by much.",
        text=(
            "She waits for you to want something. She plays the balance of the round, the exact one where it can be "
            "solved, so that your habits tell her nothing and hers tell you nothing. Beat her with better dice "
            "and better nerves."
        ),
        dials=Dials(aggression=0.5, caution=0.1, guile=0.0, loyalty=0.3),
    ),
    "berserker": Character(
        name="Hrolf Redhand",
        says="Runs at the nearest enemy and swings with all his might, whatever it costs him.",
        text=(
            "He was in the shield wall until he broke it from the inside. Pain only reminds him that you are "
            "still standing. He counts what he deals and not what he suffers, so answer his might, and do not be "
            "the one who is nearest."
        ),
        dials=Dials(aggression=0.95, caution=0.0, guile=0.2, loyalty=0.1),
        prey=Prey(near=2.0),
        taste={"might": 0.2},
    ),
    "trickster": Character(
        name="Quill",
        says="Reads your habits from your reveals and is where you do not expect her.",
        text=(
            "She keeps a tally of you on the hilt of her knife. Do anything twice and she has seen it three "
            "times. She likes to win by cunning, which is the one habit that can be held against her."
        ),
        dials=Dials(aggression=0.5, caution=0.15, guile=1.0, loyalty=0.2),
        prey=Prey(frail=2.0, hurt=1.0),
        taste={"cunning": 0.15},
    ),
    "tortoise": Character(
        name="Old Shellback",
        says="Hides behind his guard, shrugs off what gets through, and outlasts you.",
        text=(
            "Forty years a gate guard, and the gate still stands. He gives ground when he is hurt and takes it "
            "back when you are tired. A fighter who always hides can be struck at leisure. He knows that, too, and "
            "grows impatient in long fights."
        ),
        dials=Dials(aggression=0.3, caution=1.0, guile=0.3, loyalty=0.5),
        prey=Prey(near=1.0),
    ),
    "wolf_pack": Character(
        name="The Grey Pack",
        says="Chooses one of you, surrounds it and brings it down, then chooses the next.",
        text=(
            "There is no leader, only hunger that agrees with itself. All of them see who bleeds, and all of them "
            "go there. Keep the wounded behind the hale, and make them come one by one."
        ),
        dials=Dials(aggression=0.7, caution=0.25, guile=0.4, loyalty=0.9),
        prey=Prey(hurt=3.0, frail=2.0, near=0.5),
    ),
    "commander": Character(
        name="Captain Ysolde Varn",
        says="Keeps her people together, turns on whoever presses the weakest, and finishes the wounded.",
        text=(
            "She has lost one battle and remembers every name. Her line moves as one, the hurt fall back behind "
            "the hale, and whoever goes for her weakest is attacked from all sides. She learns how you fight and "
            "passes it on."
        ),
        dials=Dials(aggression=0.5, caution=0.4, guile=0.7, loyalty=1.0),
        prey=Prey(pressing=3.0, hurt=2.0),
    ),
    "dragon": Character(
        name="Emberwrath",
        says="Fights with all it has: its whole kit, its reach and its contempt for the strongest of you.",
        text=(
            "It has eaten better parties than yours. It goes for the hero who could hurt it, uses every gift as "
            "soon as it may, and remembers how each of you fights. It does not retreat, because nobody has ever "
            "made it."
        ),
        dials=Dials(aggression=0.8, caution=0.05, guile=0.7, loyalty=0.0),
        prey=Prey(strong=2.0, near=1.5),
    ),
    "guardian": Character(
        name="Brother Oak",
        says="Stays beside his weakest friend and strikes whoever comes near.",
        text=(
            "He took a vow and has never said which. Leave his friends alone and he is the slowest danger on the "
            "field; touch the weakest of them and he is there. Alone he fights with a guard that is hard to open."
        ),
        dials=Dials(aggression=0.4, caution=0.5, guile=0.3, loyalty=1.0),
        prey=Prey(pressing=5.0),
    ),
    "bandit": Character(
        name="Sly Pim",
        says="Robs the weak, avoids the strong, and runs when it hurts.",
        text=(
            "He has never fought fair and is proud of it. He picks whoever falls fastest, and at half his blood "
            "he remembers an appointment elsewhere. Corner him and he must fight. Chase him and you leave a "
            "friend alone."
        ),
        dials=Dials(aggression=0.45, caution=0.8, guile=0.6, loyalty=0.0),
        prey=Prey(frail=4.0, hurt=1.0),
    ),
    "gambler": Character(
        name="Lucky Tam",
        says="Rolls a die for nearly every stance and lives with it.",
        text=(
            "She says that nobody can read a mind that is not made up. Most of her stances are pure luck, so "
            "there is little to learn about her, and she learns nothing about you. She loves a big swing and "
            "never saves her heart for later."
        ),
        dials=Dials(aggression=0.8, caution=0.0, guile=0.0, loyalty=0.3),
        taste={"might": 0.25, "agility": 0.25, "cunning": 0.25},
    ),
    "gladiator": Character(
        name="Vex of the Sands",
        says="Seeks out the strongest of you and gives the crowd a fight.",
        text=(
            "Twenty-three bouts, and the crowd chose every one. He has no eye for the weak: the best fighter on "
            "the field is the only one worth the sand. He watches you like a professional, and he likes a "
            "flourish of agility."
        ),
        dials=Dials(aggression=0.65, caution=0.2, guile=0.6, loyalty=0.1),
        prey=Prey(strong=5.0),
        taste={"agility": 0.15},
    ),
    "oracle": Character(
        name="The Oracle of Still Water",
        says="Reads you as far as it is safe, and no further.",
        text=(
            "It does not hate you and does not hurry. It predicts your next stance from everything you have "
            "shown, bets on that only what it has already won from you, and returns to perfect balance as soon as "
            "you turn the tables."
        ),
        dials=Dials(aggression=0.5, caution=0.0, guile=1.0, loyalty=0.5),
        prey=Prey(hurt=1.0),
    ),
}


def swordmaster(game: Game, **how: Any) -> Player:
    """Return a player of the duel's exact solution if solving takes only seconds, otherwise the character's player."""
    is_plain = not scenario_of(game).settings.levels and not equilibrium.has_turns(game)
    if is_plain and game.options["memory"] != 0 and equilibrium.why_unsupported(game) is None:
        return equilibrium.make(game)
    return make(game, **how)


PEOPLE: tuple[Agent, ...] = tuple(
    enemy(id, character, swordmaster if id == "swordmaster" else make) for id, character in CHARACTERS.items()
)
