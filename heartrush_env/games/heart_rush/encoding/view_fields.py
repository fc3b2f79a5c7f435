"""The fields of a seat's view in messages. The classes are strict about types and ignore unknown fields.

Only messages need this module, which needs msgspec.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from heartrush_env.tabletop.structs import Meta, Name, Natural, Struct, field, msgspec

Points = Annotated[int, Meta(ge=-(2**31), le=2**31)]
Square = Annotated[list[Annotated[int, Meta(ge=0, le=31)]], Meta(min_length=2, max_length=2)]
Cover = Annotated[int, Meta(ge=0, le=4, description="4 where there is no line")]
Stance = Literal["might", "agility", "cunning", "defensive"]


class Weapon(Struct, omit_defaults=True, kw_only=True):
    """A fighter's weapon."""

    name: Name
    die: Annotated[int, Meta(description="sides; 0 for none")]
    attack_type: Name
    damage_type: Name


class FighterFields(Struct, omit_defaults=True, kw_only=True):
    """A fighter as a seat sees it: points as points, dice by their sides. Omitted fields are as at the start."""

    agent: Name | None = None
    name: str | None = None
    team: Name | None = None
    place: Annotated[
        Natural | None, Meta(description="the number used in action names; null for the seat's own fighter")
    ] = None
    hero: bool | None = None
    part_of: Annotated[Name | None, Meta(description="the agent of the creature that it is a part of")] = None
    companion_of: Annotated[Name | None, Meta(description="the agent of the fighter that it obeys")] = None
    status: Literal["standing", "unconscious", "dead", "defeated"] | None = None
    hp: Points | None = None
    hp_max: Points | None = None
    wounds: Annotated[Points | None, Meta(description="the sum of wound ranks")] = None
    wound_threshold: Points | None = None
    heart: Annotated[Natural | None, Meta(description="the heart die's sides")] = None
    heart_max: Natural | None = None
    might: Natural | None = None
    agility: Natural | None = None
    cunning: Natural | None = None
    presence: Natural | None = None
    armor: Points | None = None
    shield: Points | None = None
    attack_bonus: Points | None = None
    size: Name | None = None
    weapon: Weapon | None = None
    armed: Annotated[bool | None, Meta(description="whether the weapon is in hand")] = None
    action: Annotated[bool | None, Meta(description="whether the round's action is left")] = None
    interaction: Annotated[bool | None, Meta(description="whether the free object interaction is left")] = None
    dash: Annotated[bool | None, Meta(description="whether the free dash is left")] = None
    helped: Annotated[Natural | None, Meta(description="unused helps; 5 means 5 or more")] = None
    shrugs: Annotated[Natural | None, Meta(description="hits shrugged off this round; 5 means 5 or more")] = None
    rush: Annotated[Natural | None, Meta(description="rush points left; 10 means 10 or more")] = None
    hit: Annotated[Natural | None, Meta(description="pending damage, to be shrugged off or taken")] = None
    conditions: Annotated[
        dict[Name, Natural] | None, Meta(description="levels by condition; 1 for a condition without levels")
    ] = None
    stance: Annotated[Stance | None, Meta(description="the stance of this round, once revealed")] = None
    said: Annotated[
        Stance | None, Meta(description="the stance announced in this round's talk, if this seat heard it")
    ] = None
    pick: Annotated[
        Stance | None, Meta(description="the choice already made in this window; own side only, under team control")
    ] = None
    habits: Annotated[
        dict[Stance, float] | None, Meta(description="the share of each stance in the rounds so far that had one")
    ] = None
    relations: Annotated[
        list[Name] | None, Meta(description="its bonds with the seat's fighter, as in grapples_me")
    ] = None
    # On a map only:
    at: Annotated[
        Square | None, Meta(description="column and row of the top-left square of its space, counted from 0")
    ] = None
    side: Annotated[Natural | None, Meta(description="width of its space in squares")] = None
    speed: Annotated[Natural | None, Meta(description="squares per dash, conditions included, at most 12")] = None
    budget: Annotated[Natural | None, Meta(description="squares of the next dash, at most 12; own only")] = None
    moved: Annotated[Natural | None, Meta(description="squares moved this round; 12 means 12 or more; own only")] = None
    dashed: Annotated[bool | None, Meta(description="whether it has dashed this round; own only")] = None
    stood: Annotated[bool | None, Meta(description="has spent half its dash on rising this round; own only")] = None
    spare: Annotated[bool | None, Meta(description="whether it carries another weapon and shield; own only")] = None
    height: Annotated[
        Literal[-1, 0, 1] | None,
        Meta(description="1 on high ground, -1 in a drop; the highest square of its space counts"),
    ] = None
    water: Annotated[
        Literal[0, 1, 2] | None,
        Meta(description="depth of the deepest water in its space: 1 shallow, 2 deep; own only"),
    ] = None
    distance: Annotated[Natural | None, Meta(description="squares from the seat's fighter to it")] = None
    contact: Annotated[
        list[Name] | None,
        Meta(description="those that hold of: in_sight, in_my_range, in_its_range, in_my_threat, in_its_threat"),
    ] = None
    cover_from_me: Annotated[Cover | None, Meta(description="its levels of cover against the seat's fighter")] = None
    cover_from_it: Annotated[Cover | None, Meta(description="the seat's fighter's levels of cover against it")] = None


class ObjectFields(Struct, omit_defaults=True, kw_only=True):
    """An object of the scenario."""

    object: Annotated[Natural, Meta(description="its number in the names of actions")] = 0
    name: Name | None = None
    at: Square | None = None
    cost: Literal["interaction", "action"] | None = None
    effect: Literal["open", "collapse", "drop"] | None = None
    check: Literal["might", "agility", "cunning", "presence"] | None = None
    number: Annotated[Natural, Meta(description="the number that the check must reach; 0 for no check")] = 0
    used: bool = False
    item: Annotated[bool | None, Meta(description="whether it holds an item, or will once it is used")] = None


class WayFields(Struct, kw_only=True):
    """The way of the seat's dash, which it is choosing step by step; only the seat sees it."""

    to: Annotated[Square, Meta(description="column and row that the way has got to")]
    left: Annotated[Natural, Meta(description="squares of the dash that are left there, at most 12")]


class MapFields(Struct, omit_defaults=True, kw_only=True):
    """The ground of a fight on a map."""

    rows: Annotated[
        list[str] | None,
        Meta(description="rows from the north, one glyph per square as in scenarios; ? where the side does not see it"),
    ] = None
    light: Literal["bright", "dim", "dark"] | None = None
    drop: Annotated[Natural | None, Meta(description="depth of drops in feet")] = None
    way: WayFields | None = None
    objects: Annotated[list[ObjectFields] | None, Meta(description="the objects of the scenario, if it has any")] = None


class TurnFields(Struct, omit_defaults=True, kw_only=True):
    """The turn of a side, and the engagement."""

    priority: Annotated[Name | None, Meta(description="the team whose turn it is; null in an engagement")] = None
    engaged: Annotated[Name | None, Meta(description="the team that was engaged; null outside an engagement")] = None
    passed: Annotated[Natural, Meta(description="the number of teams that have passed in a row")] = 0
    joined: Annotated[list[Name], Meta(description="the fighters in the engagement")] = field(default_factory=list)


class Reveal(Struct, kw_only=True):
    """The stances that were revealed together."""

    round: Annotated[
        Natural | None,
        Meta(description="null where only the order of each fighter's reveals is known"),
    ] = None
    stances: dict[Name, Stance | None]


class SlotFields(Struct, omit_defaults=True, kw_only=True):
    """An ability in a slot of a fighter's loadout, as far as the seat sees it."""

    ability: Annotated[str, Meta(description="its id")]
    destiny: bool = False
    uses: Annotated[Natural, Meta(description="in this fight")] = 0
    memo: Annotated[Natural, Meta(description="the number that it remembers")] = 0


class PickingFields(Struct, omit_defaults=True, kw_only=True):
    """The part that the seat is asked for, of its own choice or in a window of requests; only the seat sees it."""

    kind: Annotated[str | None, Meta(description="option, creature or direction")] = None
    slot: Annotated[str | None, Meta(description="the slot of the ability that asks for it")] = None
    by: Annotated[Name | None, Meta(description="the owner of this ability, if it is another fighter")] = None
    part: Annotated[Natural | None, Meta(description="the part, counted from 1")] = None
    answers: Annotated[
        dict[str, Natural],
        Meta(description="its answers to earlier parts: the number of an option, or the place of a fighter"),
    ] = field(default_factory=dict)


class AbilityFields(Struct, omit_defaults=True, kw_only=True):
    """The occasion for instants, the attack in progress, and the abilities that the seat sees."""

    occasion: Annotated[str | None, Meta(description="what instants may answer now")] = None
    declaration: Annotated[str | None, Meta(description="the declaration that instants may answer")] = None
    striker: Annotated[Name | None, Meta(description="makes the attack in progress, or the declaration")] = None
    target: Name | None = None
    striker_total: Annotated[int, Meta(description="the striker's roll, 0 before it is made")] = 0
    target_total: int = 0
    declared: Annotated[Natural, Meta(description="the number of instants declared but not carried out yet")] = 0
    loadouts: Annotated[
        dict[Name, dict[str, SlotFields]], Meta(description="abilities by fighter and slot; an enemy's once it is used")
    ] = field(default_factory=dict)
    picking: PickingFields | None = None


class View(Struct, omit_defaults=True, kw_only=True):
    """Everything that one seat may see."""

    round: Natural | None = None
    window: (
        Literal[
            "over",
            "talk",
            "action",
            "opportunity",
            "stance",
            "attack",
            "follow_up",
            "shrug",
            "yield",
            "step",
            "follow",
            "enter",
            "instant",
            "pick",
        ]
        | None
    ) = None
    phase: Literal["cunning", "agility", "might"] | None = None
    windows_left: Annotated[Natural | None, Meta(description="action windows left in the round")] = None
    own: FighterFields | None = field(default=None, name="self")
    enemies: list[FighterFields] = field(default_factory=list)
    allies: list[FighterFields] = field(default_factory=list)
    map: Annotated[MapFields | None, Meta(description="the ground, on a map only")] = None
    turns: Annotated[TurnFields | None, Meta(description="only where sides take turns (edition classic)")] = None
    abilities: Annotated[AbilityFields | None, Meta(description="only in fights with abilities")] = None
    reveals: Annotated[list[Reveal], Meta(description="the reveals of the fight so far, oldest first")] = field(
        default_factory=list
    )
    observation: Annotated[
        list[float] | None,
        Meta(description="the environment's vector; without it, the package's engine uses the named fields"),
    ] = None


def schema() -> dict[str, Any]:
    """Return the JSON schema of a view."""
    return msgspec.json.schema(View)
