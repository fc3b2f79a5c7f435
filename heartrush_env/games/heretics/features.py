"""The features of an observation: each number with its name, range, meaning and value in one line."""

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.rules.attacks import attack_bonus, defense_of
from heartrush_env.games.heretics.rules.conditions import has, holds_any
from heartrush_env.games.heretics.rules.fighters import in_two_hands, magicked_defense
from heartrush_env.games.heretics.rules.moves import PICKS
from heartrush_env.games.heretics.rules.retainers import is_aimed
from heartrush_env.games.heretics.rules.space import distance
from heartrush_env.games.heretics.weapons import ITEMS, NO_ITEM, WEAPON_NAMES
from heartrush_env.tabletop.choosing.shown import chosen_deed, times_aimed_at
from heartrush_env.tabletop.grids.journeys import mover_of
from heartrush_env.tabletop.grids.places import blocked_lines, column_of, row_of, shown_column, shown_row
from heartrush_env.tabletop.grids.squares import WIDTH
from heartrush_env.tabletop.layout import Seen
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.tables import Block, each, feature, flag, one_of


@compiled
def is_open(fight, i, viewer):
    """Return whether the viewer sees a fighter's hit points."""
    return fight.rules.public_hp == 0 or fight.fighters[i].team == fight.fighters[viewer].team


@compiled
def shown_deed(fight, i):
    """Return a fighter's complete choice if its side sees it, as the setting `share_declarations` says."""
    return chosen_deed(fight, i, fight.rules.share_declarations != 0)


@compiled
def chosen_step(fight, i, southward):
    """Return how far east, or south if `southward`, a fighter has chosen to go; 0 if it has not chosen a move."""
    line = np.int64(fight.fighters[i].picked[0])
    if shown_deed(fight, i) < terms.GO or shown_deed(fight, i) > terms.LEAVE_AGAIN or line < 0:
        return np.int64(0)
    return PICKS.step_of(line)[1 if southward else 0]


@compiled
def is_aimed_at(fight, i, viewer):
    """Return whether the choice that the viewer still has to complete, or the hit that waits, is about a fighter."""
    if fight.window == terms.SUNDER or fight.window == terms.SHIELD:
        return fight.exchange.attacker == i or fight.exchange.target == i
    me = fight.fighters[viewer]
    return me.picking > 0 and (me.target == i or (me.picking == terms.AIM + 1 and me.aims >> i & 1 != 0))


@compiled
def waits_for_answer(fight):
    """Return whether one hit of a round waits for the answer of its attacker or its target."""
    return not fight.in_beats and (fight.window == terms.SUNDER or fight.window == terms.SHIELD)


MOMENT = Block(
    feature("round", 0, 1, "rounds begun / {scale}", lambda fight: fight.round_number, scale=50, clips=True),
    one_of("window ", tuple(window.name for window in terms.WINDOWS), "the open window", lambda fight: fight.window),
    flag("natural 20", "the hit that waits for an answer is a natural 20",
         lambda fight: fight.exchange.natural == 20 and waits_for_answer(fight)),
    flag("sundered", "the hit that waits for an answer breaks its weapon",
         lambda fight: fight.window == terms.SHIELD and fight.exchange.sundered and waits_for_answer(fight)),
    flag("in beats", "the fight is a duel in beats", lambda fight: fight.in_beats),
    feature("beat", 0, 1, "beats begun / {scale}", lambda fight: fight.beat, scale=50, clips=True),
    each("first blow ", terms.BLOWS, "what is known of the first side's blow of this beat",
         lambda fight, k: fight.blows[0] >> k & 1, name="first blow"),
    each("second blow ", terms.BLOWS, "what is known of the second side's blow of this beat",
         lambda fight, k: fight.blows[1] >> k & 1, name="second blow"),
    each("first parry ", terms.AGO, "the first side parried in its last beat, the one before, ...",
         lambda fight, k: fight.reveals[terms.BY_PARRY] >> k & 1, name="first parries"),
    each("first push ", terms.AGO, "the first side pushed in its last beat, the one before, ...",
         lambda fight, k: fight.reveals[terms.BY_PUSH] >> k & 1, name="first pushes"),
    each("first feint ", terms.AGO, "the first side feinted in its last beat, the one before, ...",
         lambda fight, k: fight.reveals[terms.BY_FEINT] >> k & 1, name="first feints"),
    each("second parry ", terms.AGO, "the second side parried in its last beat, the one before, ...",
         lambda fight, k: fight.reveals[terms.KINDS + terms.BY_PARRY] >> k & 1, name="second parries"),
    each("second push ", terms.AGO, "the second side pushed in its last beat, the one before, ...",
         lambda fight, k: fight.reveals[terms.KINDS + terms.BY_PUSH] >> k & 1, name="second pushes"),
    each("second feint ", terms.AGO, "the second side feinted in its last beat, the one before, ...",
         lambda fight, k: fight.reveals[terms.KINDS + terms.BY_FEINT] >> k & 1, name="second feints"),
)  # fmt: skip
FIGHTER = Block(
    one_of("", terms.STATUSES, "its status", lambda fighter: fighter.status, name="status"),
    each("", terms.CONDITIONS, "whether it has the condition", lambda fighter, k: has(fighter, k), name="conditions"),
    each("", terms.ABILITIES, "(bonus + 10) / {scale}", lambda fighter, k: np.int64(fighter.ability[k]) + 10,
         name="abilities", scale=20),
    feature("ad", 0, 2, "armored defense / {scale}", lambda fight, i: defense_of(fight, i), scale=20, clips=True),
    one_of("holds ", WEAPON_NAMES, "the weapon in its hands", lambda fighter: fighter.held, name="held"),
    flag("two hands", "its weapon is in two hands", lambda fighter: in_two_hands(fighter)),
    flag("loaded", "its weapon is loaded", lambda fighter: fighter.loaded),
    flag("shield", "it has a shield", lambda fighter: fighter.shield),
    feature("natural", 0, 1, "sides of its natural weapon's die / {scale}", lambda fighter: fighter.natural,
            scale=12, clips=True),
    one_of("side ", ("first", "second"), "its side, in the order of the scenario", lambda fighter: fighter.team,
           name="side"),
    feature("column", 0, 1, "column of its square / {scale}", lambda fight, i: shown_column(fight, i), scale=WIDTH),
    feature("row", 0, 1, "row of its square / {scale}", lambda fight, i: shown_row(fight, i), scale=WIDTH),
    one_of("phase ", ("1", "2", "3"), "the phase of a round in which it acts", lambda fighter: fighter.turn,
           name="phase"),
    flag("hero", "it is a hero", lambda fighter: fighter.hero),
    flag("leader", "it leads its side", lambda fighter: fighter.leader),
    flag("fearless", "it does not give up", lambda fighter: fighter.fearless),
    flag("acting", "it acts in this phase", lambda fighter: fighter.acting),
    flag("action", "it has its action", lambda fighter: fighter.left[terms.ACTION] > 0),
    flag("reaction", "it has its reaction", lambda fighter: fighter.left[terms.REACTION] > 0),
    feature("squares", 0, 1, "squares left / {scale}", lambda fighter: fighter.left[terms.SQUARES], scale=8,
            clips=True),
    flag("breaking", "it may leave the map", lambda fighter: fighter.breaking),
    flag("request", "its side holds a request", lambda fight, fighter: fight.requests[fighter.team] > 0),
    flag("retainer", "it is a retainer", lambda fighter: fighter.commander >= 0),
    flag("routed", "its morale is broken, and it only flees", lambda fighter: fighter.routed),
    flag("opportunist", "it may strike at those who leave its reach", lambda fighter: fighter.opportunist),
    one_of("order ", terms.ORDERS, "the order that it carries out", lambda fighter: fighter.order, name="order"),
    flag("moving", "its move waits for an answer",
         lambda fight, i: (fight.window == terms.STRIKE or fight.window == terms.PURSUE) and mover_of(fight) == i),
    feature("attack", -1, 2, "bonus of its attacks / {scale}",
            lambda fight, i, fighter: attack_bonus(fight, i, fighter.held != NO_ITEM), scale=20),
    feature("md", 0, 2, "magicked defense / {scale}", lambda fighter: magicked_defense(fighter), scale=20, clips=True),
    each("knows ", terms.SPELLS, "whether it knows the spell", lambda fighter, k: fighter.spells >> k & 1,
         name="spells"),
    feature("mana", 0, 1, "mana dice left / {scale}", lambda fighter: fighter.mana, scale=terms.MOST_MANA),
    flag("concentrating", "it concentrates on a spell",
         lambda fight, i, fighter: fighter.spells != 0 and holds_any(fight, i, True)),
    flag("chained", "a spell holds it", lambda fighter: fighter.chained),
)  # fmt: skip
OWN = Block(
    feature("hp", 0, 5, "hit points / {scale}", lambda fighter: fighter.hp, scale=20, clips=True),
    feature("max hp", 0, 5, "most hit points / {scale}", lambda fighter: fighter.hp_max, scale=20, clips=True),
    flag("asked", "it is asked now", lambda fighter: fighter.pending),
    flag("picks square", "it is asked for the square of its move",
         lambda fighter: fighter.picking == terms.TO + 1 or fighter.picking == terms.EXIT + 1),
    flag("picks use", "it is asked for the use of its advantage", lambda fighter: fighter.picking == terms.USE + 1),
    feature("flesh", 0, 5, "hit points that are flesh / {scale}", lambda fighter: fighter.flesh, scale=20, clips=True),
    feature("ammunition", 0, 1, "pieces of ammunition / {scale}", lambda fighter: fighter.ammunition, scale=20,
            clips=True),
    flag("picks for spell", "it is asked for mana dice, a column, a row, or a further target",
         lambda fighter: fighter.picking > terms.MANA and fighter.picking <= terms.AIM + 1),
    feature("center column", 0, 1, "the column that it has picked / {scale}",
            lambda fighter: np.int64(fighter.picked[0]) if fighter.picking == terms.ROW + 1 else 0, scale=WIDTH),
    feature("spell dice", 0, 1, "mana dice for the spell that it casts / {scale}", lambda fighter: fighter.dice,
            scale=terms.MOST_MANA),
    each("slot ", terms.SLOTS, "1 + the number of the item in the slot, / {scale}",
         lambda fighter, k: fighter.inventory[k] + 1, name="slots", scale=len(ITEMS)),
    feature("retrievals", 0, 1, "free retrievals left / {scale}", lambda fighter: fighter.left[terms.RETRIEVALS],
            scale=10, clips=True),
    each("suffered ", terms.BREAKS, "its side has had the breaking point",
         lambda fight, fighter, k: fight.broke[fighter.team] >> k & 1, name="breaking points"),
    flag("picks orders", "it is asked for its standing orders", lambda fighter: fighter.picking == terms.ANSWERS + 1),
    flag("picks stunt", "it is asked for the stunt of an order", lambda fighter: fighter.picking == terms.BY + 1),
    one_of("standing ", terms.STANDING, "its standing orders", lambda fighter: fighter.standing, name="standing"),
)  # fmt: skip
RELATION = Block(
    feature("hp", 0, 5, "hit points / {scale}; 0 if they are hidden",
            lambda fight, i, viewer: fight.fighters[i].hp if is_open(fight, i, viewer) else 0, scale=20, clips=True),
    feature("max hp", 0, 5, "most hit points / {scale}; 0 if they are hidden",
            lambda fight, i, viewer: fight.fighters[i].hp_max if is_open(fight, i, viewer) else 0, scale=20,
            clips=True),
    feature("distance", 0, 1, "squares away / {scale}", lambda fight, i, viewer: distance(fight, viewer, i),
            scale=WIDTH, clips=True),
    feature("east", -1, 1, "squares to the east / {scale}",
            lambda fight, i, viewer: column_of(fight, i) - column_of(fight, viewer), scale=WIDTH, clips=True),
    feature("south", -1, 1, "squares to the south / {scale}",
            lambda fight, i, viewer: row_of(fight, i) - row_of(fight, viewer), scale=WIDTH, clips=True),
    feature("blocked", 0, 1, "blocked lines to it / {scale}", lambda fight, i, viewer: blocked_lines(fight, viewer, i),
            scale=4),
    flag("aimed at", "the choice that the viewer has yet to complete is aimed at it, or it has made or suffered a hit "
         "that waits for an answer",
         lambda fight, i, viewer: is_aimed_at(fight, i, viewer)),
    feature("targeted", 0, 1, "choices of the viewer's side that the viewer sees and that are aimed at it / {scale}",
            lambda fight, i, viewer: times_aimed_at(fight, i, viewer, fight.rules.share_declarations != 0), scale=10,
            clips=True),
    flag("commander", "it commands the viewer", lambda fight, i, viewer: fight.fighters[viewer].commander == i),
    flag("own retainer", "the viewer commands it", lambda fight, i, viewer: fight.fighters[i].commander == viewer),
    flag("ordered", "the viewer's order names it",
         lambda fight, i, viewer: is_aimed(fight.fighters[viewer]) and fight.fighters[viewer].order_target == i),
)  # fmt: skip
ALLY = Block(
    one_of("chosen ", terms.CHOICES, "what it has chosen, if the viewer sees it",
           lambda fight, i, viewer: shown_deed(fight, i), name="chosen"),
    feature("chosen east", -1, 1, "squares that it will go to the east / {scale}",
            lambda fight, i, viewer: chosen_step(fight, i, False), scale=terms.MOST_SQUARES),
    feature("chosen south", -1, 1, "squares that it will go to the south / {scale}",
            lambda fight, i, viewer: chosen_step(fight, i, True), scale=terms.MOST_SQUARES),
)  # fmt: skip
SEEN = Seen(MOMENT, FIGHTER, OWN, RELATION, ALLY)
