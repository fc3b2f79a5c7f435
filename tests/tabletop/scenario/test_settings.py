"""The settings of a game: words and bounded numbers, their defaults, and their numbers for compiled rules."""

import numpy as np
import pytest

from heartrush_env.tabletop.errors import RulesError
from heartrush_env.tabletop.scenario.settings import Settings
from heartrush_env.tabletop.validate import Faults

SETTINGS = Settings(
    {
        "weather": {"meaning": "what falls", "words": ["sun", "rain"]},
        "rounds": {"meaning": "the last round", "number": [9, 1, 20]},
        "share": {"meaning": "a share", "number": [1, 0, 1], "whole": False},
    }
)


def test_the_first_value_is_the_default() -> None:
    assert SETTINGS.defaults == {"weather": "sun", "rounds": 9, "share": 1}


def test_a_record_holds_the_place_of_a_word_and_a_number_itself() -> None:
    place = np.zeros(1, SETTINGS.record)[0]
    SETTINGS.fill(place, {"weather": "rain", "rounds": 7, "share": 0.25})
    assert (place.weather, place.rounds, place.share) == (1, 7, 2500)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"weather": "snow"}, "rules: weather: expected sun or rain, got 'snow'."),
        ({"rounds": 21}, "rules: rounds: expected a whole number from 1 to 20, got 21."),
        ({"share": 1.25}, "rules: share: expected a number from 0 to 1, got 1.25."),
        ({"share": True}, "rules: share: expected a number from 0 to 1, got true."),
        ({"wether": "sun"}, "rules: unknown setting 'wether' (did you mean 'weather'?)"),
    ],
)
def test_a_bad_setting_is_refused_in_a_sentence(given: dict[str, object], why: str) -> None:
    faults = Faults()
    SETTINGS.read(given, "rules", faults)
    with pytest.raises(RulesError) as refused:
        faults.settle("rules")
    assert why in str(refused.value)
