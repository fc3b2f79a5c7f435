"""The words for choices that a game keeps are those that the moment has when they are made afresh."""

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.words import own
from heartrush_env.games.heart_rush.words.own import OwnWords
from tests.random_play import begin, legal_actions, over

WINDOWS = 40


@pytest.mark.parametrize("scenario", ["duel", "melee", "skirmish"])
def test_kept_words_are_the_words_of_the_moment(scenario: str, monkeypatch: pytest.MonkeyPatch, plainly: None) -> None:
    monkeypatch.setattr(own, "MOST_MOMENTS", 12)
    game, rng = HeartRush(scenario), np.random.default_rng(5)
    fights, kept, asked = begin(game, 5), game.words, 0
    assert isinstance(kept, OwnWords)
    for _ in range(WINDOWS):
        if over(fights):
            break
        for place, seat in enumerate(game.agents):
            view = game.views.read(seat, fights.observations[0, place])
            legal = {action: game.action_names[action] for action in fights.legal(0, place)}
            words = kept.offers(seat, view, legal)
            assert words == kept.offers(seat, view, legal) == OwnWords(game.scenario).offers(seat, view, legal)
            assert sorted(offer.name for offer in words) == sorted(legal.values())
            asked += 1
        assert 0 < len(kept._offers) <= 12
        fights.step(legal_actions(fights, rng))
    assert asked > 12
