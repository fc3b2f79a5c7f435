"""Every heading of the rule chapters is claimed, waits for a subject, or is no rule; every ruling cited exists."""

import re
from collections import Counter
from pathlib import Path

import pytest

from heartrush_env.games.heart_rush.headings import BOOK
from heartrush_env.tabletop.books import Heading, listed_headings, rulings_of

GAME = "heartrush_env.games.heart_rush"
PACKAGE = Path(__file__).resolve().parents[3] / "heartrush_env"
SUBJECTS = {"abilities"}
KEYS = {"path", "see", "later", "out", "rest"}
CLAIMED = {claim.heading for claim in BOOK.claims()}
PATHS = [entry["path"] for entry in listed_headings(GAME)]


def is_claimed(heading: str) -> bool:
    """Return whether the heading, or one below it, is claimed."""
    return any(claim == heading or claim.startswith(f"{heading} > ") for claim in CLAIMED)


def test_headings_are_listed_once_each_below_their_chapter() -> None:
    assert [path for path, count in Counter(PATHS).items() if count > 1] == []
    assert {path.split(" > ")[0] for path in PATHS} == set(BOOK.chapters)
    assert len(PATHS) > 60


@pytest.mark.parametrize("path", [path for path in PATHS if path.startswith("Combat > ")])
def test_the_parents_of_a_heading_are_listed_before_it(path: str) -> None:
    parent = path.rpartition(" > ")[0]
    assert parent in PATHS[: PATHS.index(path)]


@pytest.mark.parametrize("entry", listed_headings(GAME), ids=lambda entry: entry["path"])
def test_each_heading_is_claimed_or_later_or_out(entry: dict[str, str]) -> None:
    assert set(entry) <= KEYS
    claimed, seen = entry["path"] in CLAIMED, is_claimed(entry["see"]) if "see" in entry else False
    fates = [claimed, seen, "later" in entry, "out" in entry]
    assert sum(fates) == 1, "claimed by a function, claimed under the heading at `see`, later, or out: one of these"
    assert entry.get("later", entry.get("rest", "abilities")) in SUBJECTS
    assert "rest" not in entry or claimed or seen
    assert entry.get("out", "why").strip()


@pytest.mark.parametrize("heading", sorted(CLAIMED))
def test_each_claim_in_a_listed_chapter_names_a_heading_of_it(heading: str) -> None:
    assert heading.split(" > ")[0] not in BOOK.chapters or heading in PATHS


def test_rulings_are_numbered_without_gaps() -> None:
    text = (PACKAGE / "games" / "heart_rush" / "rules" / "RULINGS.md").read_text(encoding="utf-8")
    numbers = [int(number) for number in re.findall(r"^- \*\*R-(\d+)\*\*", text, re.MULTILINE)]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert set(rulings_of(GAME)) == {f"R-{number}" for number in numbers}


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_each_ruling_that_is_cited_exists(path: Path) -> None:
    cited = set(re.findall(r"\bR-\d+\b", path.read_text(encoding="utf-8")))
    assert cited - set(rulings_of(GAME)) == set()


def test_each_ruling_that_a_claim_cites_exists() -> None:
    assert {ruling for claim in BOOK.claims() for ruling in claim.rulings} - set(rulings_of(GAME)) == set()


def test_each_claim_says_what_its_function_does_and_where_it_is() -> None:
    for claim in BOOK.claims():
        assert claim.summary.endswith("."), claim.function
        text = (PACKAGE / claim.file).read_text(encoding="utf-8")
        *owners, function = claim.function.split(".")
        assert f"def {function}(" in text
        assert all(f"class {owner}:" in text for owner in owners)


def test_no_heading_waits() -> None:
    assert [entry["path"] for entry in listed_headings(GAME) if "later" in entry or "rest" in entry] == []


@pytest.mark.parametrize(
    ("path", "claim"),
    [
        ("Combat > The Action Phase > Understanding Actions and Abilities", "spend_action"),
        ("Combat > The Action Phase > Common Ability Restrictions", "can_afford"),
        ("Combat > The Action Phase > Actions You Can Take > Actions From Abilities", "can_afford"),
        ("Combat > The Engagement", "is_able_to_attack"),
        ("Classic > Minor Abilities", "price_of"),
        ("Classic > Major Abilities", "is_unused"),
    ],
)
def test_a_heading_about_abilities_is_shown_as_played_with_its_claims(path: str, claim: str) -> None:
    (heading,) = (heading for heading in BOOK.headings() if heading.path == path)
    assert (heading.status, heading.why) == ("played", "")
    assert claim in {found.function for found in heading.claims}


def test_a_heading_is_shown_with_the_claims_of_another_heading() -> None:
    by_path: dict[str, Heading] = {heading.path: heading for heading in BOOK.headings()}
    might = by_path["Combat > The Engagement > Choosing Your Stance > Might Stance"]
    assert (might.status, might.see) == ("played", "Weapons > Might Bonus")
    assert {claim.function for claim in might.claims} == {
        "whip_die", "ignores_armor", "earns_follow_up", "pushes_by_might", "may_follow", "follow_push",
        "begin_to_follow", "follow_until_trip", "push_by_effect",
    }  # fmt: skip
