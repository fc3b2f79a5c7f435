"""The settings of a game: words and bounded numbers, their defaults, and their numbers for compiled rules."""

import numpy as np
import pytest

from heartrush_env.tabletop.errors import RulesError
from heartrush_env.tabletop.scenario.settings import Setting, Settings, words
from heartrush_env.tabletop.validate import Faults

SETTINGS = Settings(
    {"weather": words("what falls", "sun", "rain"), "rounds": Setting("the last round", number=(9, 1, 20))},
    {"magic": "off"},
)


def test_the_first_value_is_the_default() -> None:
    assert SETTINGS.defaults == {"weather": "sun", "rounds": 9}


def test_a_record_holds_the_place_of_a_word_and_a_number_itself() -> None:
    place = np.zeros(1, SETTINGS.record)[0]
    SETTINGS.fill(place, {"weather": "rain", "rounds": 7})
    assert (place.weather, place.rounds) == (1, 7)


def test_a_rule_that_is_not_played_may_be_left_out_by_name() -> None:
    assert SETTINGS.read({"magic": "off", "rounds": 3}, "rules", Faults()) == {"rounds": 3}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"weather": "snow"}, "rules: weather: expected sun or rain, got 'snow'."),
        ({"rounds": 21}, "rules: rounds: expected a whole number from 1 to 20, got 21."),
        ({"magic": "on"}, "rules: magic: expected off, got 'on'."),
        ({"wether": "sun"}, "rules: unknown setting 'wether' (did you mean 'weather'?)"),
    ],
)
def test_a_bad_setting_is_refused_in_a_sentence(given: dict[str, object], why: str) -> None:
    faults = Faults()
    SETTINGS.read(given, "rules", faults)
    with pytest.raises(RulesError) as refused:
        faults.settle("rules")
    assert why in str(refused.value)
