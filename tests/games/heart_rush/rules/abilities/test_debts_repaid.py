"""Debts Repaid: wounds lose ranks when the creature that dealt them dies."""

import pytest

from tests.games.heart_rush.rules.table import Table


@pytest.mark.heading("Debts Repaid")
@pytest.mark.parametrize(
    ("field", "rounds", "slain", "ranks"),
    [("talents", 1, "rogue", 7), ("talents", 2, "rogue", 14), ("destiny_talents", 1, "rogue", 5),
     ("destiny_talents", 2, "rogue", 10), ("talents", 2, "fox", 20)],
)  # fmt: skip
def test_each_wound_of_the_dead_loses_ranks(field: str, rounds: int, slain: str, ranks: int) -> None:
    # The rogue wounds the knight by 10 in each round, before the knight slays one of its enemies.
    fighters = {"knight": {field: ["debts_repaid"], "hp": 60}, "rogue": {"hp": 5}, "fox": {"hp": 5}}
    table = Table(fighters, [*[(6, 1, 5), (1, 1)] * rounds, (8, 1, 1), (1, 1)])
    for _ in range(rounds):
        table.engage(knight="cunning", rogue="might: attack 1", fox="defensive").finish_round()
    table.engage(knight=f"might: attack {1 if slain == 'rogue' else 2}", rogue="cunning", fox="cunning")
    table.pass_to("shrug").play()
    assert (table.status(slain), table.fighter("knight")["wounds"]) == ("defeated", ranks)
