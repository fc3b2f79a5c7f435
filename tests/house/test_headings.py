"""Each heading of the rulebook is played in one file or two, so that a reader finds its rule where it stands."""

from __future__ import annotations

from collections import defaultdict

import pytest

from heartrush_env.cli.headings import claims

MOST_FILES = 2  # that play one heading
ROOMS = ("rules", "editions")  # of heart_rush, that claim headings

FILES: dict[str, set[str]] = defaultdict(set)
for claim in claims():
    FILES[claim.heading].add(claim.file.removeprefix("heart_rush/"))


@pytest.mark.parametrize("heading", sorted(FILES))
def test_a_heading_is_played_in_two_files_at_most(heading: str) -> None:
    assert len(FILES[heading]) <= MOST_FILES, sorted(FILES[heading])


def test_headings_are_claimed_in_the_rules_and_the_editions() -> None:
    elsewhere = {
        f"{claim.file.removeprefix('heart_rush/')}: {claim.function}"
        for claim in claims()
        if claim.file.removeprefix("heart_rush/").split("/")[0] not in ROOMS
    }
    assert elsewhere == set()
