"""Each heading of the rulebook is implemented in one file or two, so that a reader finds its rule there."""

from __future__ import annotations

from collections import defaultdict

import pytest

from heartrush_env.games.heart_rush.headings import BOOK

MOST_FILES = 2  # files that implement one heading
ROOMS = ("rules", "abilities", "editions")  # folders of heart_rush that claim headings

# Names that the page of a round calls, which the engine implements for every edition.
IN_THE_ENGINE = {
    "start_round": "a round begins: what it gives is written into the record",
    "end_round": "a round ends",
    "line_up": "declarations are put in order",
    "put_strikes_first": "opportunity attacks of a window come first",
    "puts_instants_first": "instants do not wait for a turn, and other declarations do",
    "log_declaration": "a declaration is heard, or fizzles",
    "recheck_declaration": "it fizzles after answers",
    "line_up_answers": "all who strike at a mover are put in order",
    "begin_answer": "one of them strikes, or fizzles",
    "reveal_all": "all choices of a window are shown at once",
    "begin_phase": "the attacks of a phase are put in order",
    "roll_maneuvers": "the maneuvers of a phase are rolled",
    "apply_effects": "the effects of a phase take hold",
    "pay_for_attacks": "attacks are paid for",
    "take_instants": "instants wait on a stack",
    "do_last": "the last instant is done first",
}

FILES: dict[str, set[str]] = defaultdict(set)
for claim in BOOK.claims():
    FILES[claim.heading].add(claim.file.removeprefix("games/heart_rush/"))


@pytest.mark.parametrize("heading", sorted(FILES))
def test_a_heading_is_played_in_two_files_at_most(heading: str) -> None:
    assert len(FILES[heading]) <= MOST_FILES, sorted(FILES[heading])


def test_headings_are_claimed_in_the_rules_and_the_editions() -> None:
    elsewhere = {
        claim.function
        for claim in BOOK.claims()
        if claim.file.removeprefix("games/heart_rush/").split("/")[0] not in ROOMS
    }
    assert elsewhere == IN_THE_ENGINE.keys()
