"""The engine against the reference: random fights with the same dice and choices, compared after every window."""

import os
import random
from collections import Counter

import pytest

from tests.games.heretics.both import Both
from tests.reference.heretics.scenarios import random_scenario

FIGHTS = int(os.environ.get("HEARTRUSH_REFERENCE_FIGHTS", "16"))
LONG_FIGHTS = int(os.environ.get("HEARTRUSH_REFERENCE_FIGHTS", "800"))
CHUNKS = 8
# Every window, and in it every choice, must occur in the long run.
SEEN = """
request: request keep
move: stay move stand break leave to exit
act: stand_by attack unarmed throw reload trip disarm shove grapple break_free dirt retrieve pick_up drop let_go
act: douse intimidate move_again leave_again use to exit order order_focus order_stunt by answers
act: magic_missile lightning_bolt fireball binding_chains aid mana column row aim
again: stand_by attack unarmed throw trip disarm shove grapple dirt retrieve pick_up drop move_again use to
late_move: stay move stand leave to exit
sunder: sunder keep
shield: break_shield keep
strike: strike let_pass
pursue: pursue let_pass
duel: duel fight_on
beat: parry push feint yield
end: victory draw objective round_cap larger_conflict
"""


def play_both(seed: int) -> Counter[str]:
    """Play one random fight in the engine and in the reference; return how often each choice was made."""
    rng = random.Random(seed)
    return Both(random_scenario(rng), rng, f"seed {seed}").play()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_and_reference_play_alike(chunk: int, plainly: None) -> None:
    for seed in range(chunk * FIGHTS // CHUNKS, (chunk + 1) * FIGHTS // CHUNKS):
        play_both(seed)


@pytest.mark.long
def test_engine_and_reference_play_alike_in_many_fights_that_meet_every_choice() -> None:
    seen: Counter[str] = Counter()
    for seed in range(1000, 1000 + LONG_FIGHTS):
        seen += play_both(seed)
    lines = [line.split(": ") for line in SEEN.strip().splitlines()]
    expected = {f"{window}: {name}" for window, names in lines for name in names.split()}
    assert sorted(expected - set(seen)) == []
