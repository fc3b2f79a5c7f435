"""A reader of events knows the state of every fighter, and tells it in one line."""

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.words.known import Reader
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.tabletop.game import Event

KNIGHT, DUELIST = "knight_0", "duelist_0"
EVENTS: list[Event] = [
    {"type": "round", "round": 1},
    {"type": "damage", "fighter": KNIGHT, "by": DUELIST, "cause": "attack", "amount": 9, "hp": 31},
    {"type": "wound", "fighter": KNIGHT, "rank": 2},
    {"type": "condition", "fighter": KNIGHT, "condition": "weakened", "before": 0, "levels": 2},
    {"type": "condition", "fighter": KNIGHT, "condition": "blinded", "before": 0, "levels": 1},
    {"type": "shrug", "fighter": DUELIST, "heart_from": 10, "heart_to": 8},
]


def test_a_reader_follows_what_events_change() -> None:
    game = HeartRush("duel")
    reader = Reader(game.scenario)
    start = reader.standing()
    assert start == "Knight 40 hp, heart d8; Duelist 40 hp, heart d10"
    reader.follow(EVENTS)
    assert reader.standing() == "Knight 31 hp, heart d8, wounds 2, weakened 2, blinded 1; Duelist 40 hp, heart d8"
    reader.follow(
        [
            {"type": "condition", "fighter": KNIGHT, "condition": "weakened", "before": 2, "levels": 0},
            {"type": "heal", "fighter": KNIGHT, "by": KNIGHT, "amount": 4, "hp": 35},
            {"type": "down", "fighter": DUELIST, "status": "defeated"},
        ]
    )
    assert reader.standing() == "Knight 35 hp, heart d8, wounds 2, blinded 1; Duelist defeated"


def test_a_narrator_knows_what_a_reader_knows() -> None:
    game = HeartRush("duel")
    reader, narrator = Reader(game.scenario), Narrator(game.scenario)
    reader.follow(EVENTS)
    narrator.tell(EVENTS)
    assert narrator.known == reader.known and narrator.standing() == reader.standing()
