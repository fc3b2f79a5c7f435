"""Each heading of the rule text is claimed or marked as not played, and each cited ruling is written down."""

import pytest

from heartrush_env.app.cli.main import main
from heartrush_env.games.heretics.book import BOOK
from heartrush_env.games.heretics.settings import SETTINGS
from heartrush_env.tabletop.books import claims_of, listed_headings, rulings_of

GAME = "heartrush_env.games.heretics"
NOT_A_CLAIM = {"R-4", "R-13", "R-3", "R-61"}  # cited, or followed by a reader that is not compiled


def test_every_heading_is_claimed_or_says_what_is_missing() -> None:
    assert len(BOOK.headings()) == 13
    for heading in BOOK.headings():
        assert (heading.status == "played") == bool(heading.claims), heading.path


def test_every_claim_is_of_a_known_heading_and_says_what_it_does() -> None:
    claims = claims_of(GAME)
    assert len(claims) > 60
    assert all(claim.summary for claim in claims)
    assert {claim.heading for claim in claims} <= {heading["path"] for heading in listed_headings(GAME)}


def test_every_cited_ruling_is_written_down_and_every_written_one_is_cited() -> None:
    cited = {ruling for claim in claims_of(GAME) for ruling in claim.rulings}
    assert (cited - rulings_of(GAME).keys(), rulings_of(GAME).keys() - cited - NOT_A_CLAIM) == (set(), set())


def test_every_setting_is_named_by_a_ruling() -> None:
    text = " ".join(rulings_of(GAME).values())
    assert [name for name in SETTINGS.by_name if f"`{name}`" not in text] == []


def test_a_heading_is_played_in_few_files() -> None:
    files = {heading.path: {claim.file for claim in heading.claims} for heading in BOOK.headings()}
    assert all(len(found) <= 5 for found in files.values()), files


def test_the_command_lists_the_headings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--game", "heretics"]) == 0
    text = capsys.readouterr().out
    assert "13 headings of the rule chapters" in text
    assert main(["rules", "--game", "heretics", "stunts"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Heretics > ") and "rules/stunts.py" in text and "R-" in text
    assert main(["rules", "--game", "heretics", "--coverage"]) == 2
    assert "expected heart_rush" in capsys.readouterr().err
