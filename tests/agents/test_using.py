"""The tactician uses its abilities, and leaves alone what changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from heartrush_agents import load

from heartrush_env.games.heart_rush.game import HeartRush
from tests.games.heart_rush.rules.table import PLAIN, Table

MAXIMA = [8, 6, 3]  # two dice at their maximum

ON_ROLLS = {"options_on_rolls": True}  # abilities for an attack roll may be used once stances are seen


def choice(table: Table, name: str) -> str:
    """The tactician's choice for a fighter."""
    batch = table._fights
    seat = table.names.index(name)
    player = load("tactician").seat(batch.game)
    seen = {"observation": batch.observations[0, seat], "action_mask": batch.masks[0, seat]}
    return batch.game.action_names[player.act(seen, np.random.default_rng(0))]


def struck(hp: int) -> Table:
    """The knight's attack with two dice at their maximum, after its roll."""
    table = Table({"knight": {"talents": ["brutal_criticals"]}, "rogue": {"hp": hp}}, [*MAXIMA, 2, 1])
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    return table


def test_it_waits_for_both_rolls_and_then_doubles_its_dice() -> None:
    table = struck(hp=40)
    assert choice(table, "knight") == "pass"
    table.play()
    assert table.window == "instant"
    assert choice(table, "knight") == "use a"


def test_it_leaves_an_attack_alone_that_already_fells_its_target() -> None:
    table = struck(hp=14)
    table.play()
    assert choice(table, "knight") == "pass"


def test_it_marks_the_enemy_with_most_of_its_hit_points_left() -> None:
    fighters: dict[str, Any] = {"knight": {"talents": ["vampiric_mark"]}, "rogue": {"hp_now": 10}, "fox": {}}
    assert choice(Table(fighters), "knight") == "use_at 2 a"


def test_it_pays_blood_for_a_die_unless_the_blow_is_as_good_without() -> None:
    """A last hit point falls to almost any blow; the die that blood buys adds nothing to it."""
    chosen = []
    for hp in (40, 1):
        table = Table(
            {"knight": {"talents": ["bloodblade"]}, "rogue": {"hp": hp}}, rules=ON_ROLLS, victory="first_down"
        )
        table.engage(knight="might", rogue="cunning")
        chosen.append(choice(table, "knight"))
    assert chosen == ["use a", "pass"]


def test_it_keeps_blood_and_breath_until_it_sees_the_stances() -> None:
    for name in ("bloodblade", "exert", "hit_em_where_it_counts"):
        table = Table({"knight": {"talents": [name]}, "rogue": {}})
        assert "use a" in table.legal("knight") and choice(table, "knight") == "pass"


def test_it_pays_with_no_heart_die_that_it_will_need() -> None:
    """A fresh fighter goes on for rounds with its die; a fighter with one hit point left has nothing to save it for."""
    chosen = []
    for hp in (40, 1):
        table = Table(
            {"knight": {"talents": ["exert"], "heart": 8, "hp_now": hp}, "rogue": {}},
            rules=ON_ROLLS,
            victory="first_down",
        )
        table.engage(knight="might", rogue="cunning")
        chosen.append(choice(table, "knight"))
    assert chosen == ["pass", "use a"]


def test_it_does_not_faint_for_rush_points() -> None:
    table = Table({"knight": {"talents": ["overexert"], "heart": 4}, "rogue": {}})
    assert "use a" in table.legal("knight") and choice(table, "knight") == "pass"


def test_it_trades_a_level_of_advantage_for_a_point_only_where_levels_do_not_count() -> None:
    chosen = []
    for cap in (10, 0):
        above = {"talents": ["hit_em_where_it_counts"], "conditions": {"highground": 1}}
        table = Table({"knight": above, "rogue": {}}, rules={"advantage_cap": cap, **ON_ROLLS})
        table.engage(knight="might", rogue="cunning")
        chosen.append(choice(table, "knight"))
    assert chosen == ["pass", "use a"]


def test_together_tacticians_with_abilities_choose_as_alone() -> None:
    """All windows of a fight of two who own much, those among them in which a use is weighed against its price."""
    talents = ["exert", "bloodblade", "overexert", "duelist", "brutal_criticals", "hit_em_where_it_counts"]
    sheets = [{**PLAIN, "id": name, "team": name, "talents": talents} for name in ("blue", "red")]
    game = HeartRush({"name": "two", "fighter": sheets}, ON_ROLLS)
    batch, seen, masks = game.batch(1), [], []
    player: Any = load("tactician").seat(game)
    batch.start([0], 1, [0])
    for _ in range(30):
        seen += list(batch.observations[0].copy())
        masks += list(batch.masks[0].copy())
        batch.step(player.choices(batch.observations[0], batch.masks[0])[None], autoreset=True)
    together = player.choices(np.array(seen), np.array(masks))
    alone = [player.policy({"observation": one, "action_mask": mask}) for one, mask in zip(seen, masks, strict=True)]
    assert together.tolist() == [int(policy.argmax()) for policy in alone]
    used = {game.action_names[action] for action in together}
    assert {"use b", "use_at 1 d"} <= used, used


def test_nobody_is_asked_where_nothing_may_be_used() -> None:
    table = Table({"knight": {"talents": ["brutal_criticals"]}, "rogue": {}})
    assert table.window == "stance"  # no action window before it
