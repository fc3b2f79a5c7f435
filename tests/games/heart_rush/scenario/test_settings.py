"""The rules settings: defaults, editions and profiles, and the messages about wrong settings."""

import pickle
from dataclasses import asdict, fields
from typing import Any

import pytest

from heartrush_env.games.heart_rush.scenario.settings import KEYS, Settings
from heartrush_env.tabletop.errors import HeartRushError, RulesError
from tests.reference.settings import DEFAULTS, EDITIONS

# The reference's own tables, written out by hand from RULES.md, section 14.
DECEMBER = EDITIONS["december2025"]
JUNE = {key: DEFAULTS[key] for key in DECEMBER}
OTHERS = {key: value for key, value in DEFAULTS.items() if key not in DECEMBER}


def test_the_defaults_are_the_june_rulebook_in_full() -> None:
    assert asdict(Settings.parse({})) == {**JUNE, **OTHERS} == asdict(Settings())


def test_december_switches_eight_settings_together() -> None:
    assert asdict(Settings.parse({"edition": "december2025"})) == {**DECEMBER, **OTHERS, "edition": "december2025"}


@pytest.mark.parametrize(
    ("profile", "on"),
    [("full", {"levels", "maneuvers", "conditions", "wounds"}), ("levels", {"levels"}), ("plain", set())],
)
def test_a_profile_switches_four_settings_together(profile: str, on: set[str]) -> None:
    settings = asdict(Settings.parse({"profile": profile}))
    assert {key for key in ("levels", "maneuvers", "conditions", "wounds") if settings[key]} == on
    assert {key: settings[key] for key in JUNE} == JUNE


def test_explicit_keys_win_over_edition_and_profile_in_any_order() -> None:
    for given in (
        {"wounds": True, "contested": "if_able", "profile": "plain", "edition": "december2025"},
        {"edition": "december2025", "profile": "plain", "contested": "if_able", "wounds": True},
    ):
        settings = Settings.parse(given)
        assert settings.wounds and settings.contested == "if_able"
        assert not settings.levels and settings.shrug_per_round == "once"


def test_without_conditions_there_are_no_maneuvers() -> None:
    # their effects are conditions.
    assert not Settings.parse({"conditions": False}).maneuvers
    assert not Settings.parse({"conditions": False, "maneuvers": True}).maneuvers
    assert Settings.parse({"conditions": False}).levels


def test_settings_on_top_of_others_keep_what_they_do_not_name() -> None:
    base = Settings.parse({"edition": "december2025", "talk": "open"})
    above = Settings.parse({"profile": "plain"}, base=base)
    assert above.talk == "open" and above.shrug_per_round == "once" and not above.wounds
    assert Settings.parse({"edition": "june2025"}, base=base).shrug_per_round == "unlimited"


def test_every_setting_can_be_checked() -> None:
    assert list(KEYS) == [field.name for field in fields(Settings)]


@pytest.mark.parametrize(
    ("zero_hp", "hero", "may"),
    [
        ("heroes_choose", True, True),
        ("heroes_choose", False, False),
        ("all_out", True, False),
        ("all_choose", False, True),
    ],
)
def test_who_may_fight_on_at_zero(zero_hp: str, hero: bool, may: bool) -> None:
    assert Settings.parse({"zero_hp": zero_hp}).may_choose_at_zero(hero) is may


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ({"maneuver": True}, ["unknown setting 'maneuver'", "did you mean 'maneuvers'", *KEYS]),
        ({"talk": "loud"}, ["talk: expected", "got 'loud'", "none, team, open or overheard"]),
        ({"edition": "july2025"}, ["edition: expected", "got 'july2025'", "did you mean 'june2025'"]),
        ({"profile": 3}, ["profile: expected", "got 3", "full, levels or plain"]),
        ({"wounds": 1}, ["wounds: expected", "got 1", "true or false"]),
        ({"wounds": "false"}, ["wounds: expected", "got 'false'", "true or false"]),
        ({"windows_per_round": True}, ["windows_per_round: expected", "got true", "a whole number from 0 to 100"]),
        ({"windows_per_round": 2.0}, ["windows_per_round: expected", "got 2.0", "a whole number from 0 to 100"]),
        ({"fatigue_rounds": 0}, ["fatigue_rounds: expected", "got 0", "from 1 to 10000"]),
        ({"advantage_cap": -1}, ["advantage_cap: expected", "got -1", "from 0 to 10"]),
        ({7: True}, ["unknown setting 7"]),
        ("plain", ["got 'plain'", "a table"]),
    ],
)
def test_a_wrong_setting_is_one_sentence(given: Any, parts: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        Settings.parse(given, where="table 4")
    message = str(caught.value)
    assert message.startswith("table 4: ") and message.endswith(".") and "\n" not in message
    for part in parts:
        assert part in message
    assert isinstance(caught.value, HeartRushError) and isinstance(caught.value, ValueError)


def test_settings_survive_pickling() -> None:
    settings = Settings.parse({"profile": "levels", "talk": "team"})
    assert pickle.loads(pickle.dumps(settings)) == settings
