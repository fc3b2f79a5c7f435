"""One agent in many seats of a batch: which players are asked, and which actions are drawn."""

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Agent, AgentError, Player
from heartrush_agents.vector_player import VectorPlayer

from heartrush_env.tabletop.game import Batch, Game, Observation
from tests.toy_game import ToyGame

SLOTS = 5
ALL = [(slot, seat) for slot in range(SLOTS) for seat in range(2)]


class Leaning(Player):
    """A player whose policy depends on the observation, so that rows differ; its policies need not sum to 1."""

    def policy(self, observation: Observation) -> Any:
        return observation["action_mask"] * (0.5 + np.resize(observation["observation"], len(self.game.action_names)))


class LeaningForAll(Leaning):
    """A leaning player that decides for many seats at once."""

    def policies(self, features: Any, masks: Any) -> Any:
        return masks * (0.5 + np.array([np.resize(row, masks.shape[1]) for row in features]))


class Diary(Player):
    """A player that logs its calls and plays its last legal action."""

    written: list[list[str]] = []  # noqa: RUF012  # emptied by each test

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.diary: list[str] = []
        self.written.append(self.diary)

    def new_match(self) -> None:
        self.diary.append("match")

    def new_fight(self) -> None:
        self.diary.append("fight")

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        self.diary.append("asked")
        return int(np.flatnonzero(observation["action_mask"])[-1])

    def policy(self, observation: Observation) -> Any:
        raise NotImplementedError


def agent(player: type[Player]) -> Agent:
    return Agent("one", "A test's own.", player)


def started(game: ToyGame | None = None, slots: int = SLOTS) -> tuple[Game, Batch, dict[str, Any], Any]:
    """Return a game, a batch of it at the first window, the batch's observations, and an array for actions."""
    game = game or ToyGame()
    batch = game.batch(slots)
    batch.start(range(slots), 3, range(slots))
    shown = {"observation": batch.observations, "action_mask": batch.masks}
    return game, batch, shown, np.full((slots, game.num_seats), -7, dtype=np.int64)


def test_one_player_for_all_draws_what_one_for_each_seat_would() -> None:
    """A vector player draws one random number for each choice, in the order of the rows, as the base class does."""
    played = []
    for player in (Leaning, LeaningForAll):
        game, batch, shown, actions = started()
        player = VectorPlayer(agent(player), game, ALL, np.random.default_rng(8))
        played.append([])
        for _ in range(60):
            player.act(shown, actions)
            assert (np.take_along_axis(batch.masks, actions[..., None], axis=2) == 1).all()
            played[-1].append(actions.copy())
            batch.step(actions, autoreset=True)
    assert np.array_equal(*played)
    assert len(np.unique(played[0])) == 5  # and it was no monotonous fight


def test_one_that_remembers_nothing_sits_down_once_and_is_asked_once_a_step() -> None:
    calls: list[int] = []

    class Counting(LeaningForAll):
        def __init__(self, game: Game) -> None:
            super().__init__(game)
            calls.append(0)

        def policies(self, features: Any, masks: Any) -> Any:
            calls.append(len(features))
            assert features.dtype == np.float32 and masks.dtype == np.int8
            return super().policies(features, masks)

    game, _, shown, actions = started()
    player = VectorPlayer(agent(Counting), game, ALL, np.random.default_rng(8))
    player.new_match()
    player.new_fight([1])
    player.act(shown, actions)
    assert calls == [0, len(ALL)]


def test_only_own_seats_are_played() -> None:
    game, _, shown, actions = started()
    VectorPlayer(agent(Leaning), game, [(1, 0), (3, 1)], np.random.default_rng(8)).act(shown, actions)
    assert {tuple(place) for place in np.argwhere(actions != -7).tolist()} == {(1, 0), (3, 1)}
    VectorPlayer(agent(Leaning), game, [], np.random.default_rng(8)).act(shown, actions)


def test_who_need_not_be_asked_plays_the_first_legal_action() -> None:
    """In the fight of three, the last seat can only pass in round 1, so its player is not asked."""
    Diary.written.clear()
    game, _, shown, actions = started(ToyGame(num_seats=3))
    VectorPlayer(agent(Diary), game, [(0, 1), (0, 2)], np.random.default_rng(8)).act(shown, actions)
    assert Diary.written == [["asked"], []]
    assert actions[0].tolist() == [-7, 3, 0]  # scissors is the last hand
    Diary.written.clear()
    game, _, shown, actions = started(slots=3)
    player = VectorPlayer(agent(Diary), game, [(slot, 0) for slot in range(3)], np.random.default_rng(8))
    player.act(shown, actions, asked=np.array([True, False, True]))
    assert Diary.written == [["asked"], [], ["asked"]]
    assert actions[:, 0].tolist() == [3, 1, 3]  # scissors, rock, scissors


def test_each_seat_has_a_memory_of_its_own() -> None:
    Diary.written.clear()
    game, _, _, _ = started()
    player = VectorPlayer(agent(Diary), game, [(0, 0), (2, 0), (2, 1)], np.random.default_rng(8))
    player.new_match()
    player.new_fight()
    player.new_fight([2])
    player.new_match(np.array([0, 1]))
    player.new_fight([])
    assert Diary.written == [["match", "fight", "match"], ["match", "fight", "fight"], ["match", "fight", "fight"]]


def test_what_a_player_sees_stays_as_it_was() -> None:
    kept: list[Observation] = []

    class Keeper(Leaning):
        def policy(self, observation: Observation) -> Any:
            kept.append(observation)
            return super().policy(observation)

    game, batch, shown, actions = started()
    player = VectorPlayer(agent(Keeper), game, [(0, 0)], np.random.default_rng(8))
    player.act(shown, actions)
    before = kept[0]["observation"].copy()
    batch.observations[:] = 9
    assert (kept[0]["observation"] == before).all()


@pytest.mark.parametrize("player", [Leaning, LeaningForAll])
def test_a_policy_without_a_legal_action_is_refused(player: type[Player]) -> None:
    class Nothing(player):  # type: ignore[misc,valid-type]
        def policy(self, observation: Observation) -> Any:
            return super().policy(observation) * 0

        def policies(self, features: Any, masks: Any) -> Any:
            nothing = super().policies(features, masks)
            nothing[1] = 0
            return nothing

    if player is Leaning:
        del Nothing.policies
    game, _, shown, actions = started()
    player = VectorPlayer(agent(Nothing), game, ALL, np.random.default_rng(8))
    with pytest.raises(
        AgentError, match=r" gives no legal action a probability above 0; the legal actions are .*rock.*scissors\.$"
    ):
        player.act(shown, actions)


@pytest.mark.parametrize("choice", [0, -4, 99])
def test_a_choice_that_is_not_legal_is_refused(choice: int) -> None:
    class Cheat(Diary):
        def act(self, observation: Observation, rng: np.random.Generator) -> int:
            return choice

    game, _, shown, actions = started()
    with pytest.raises(AgentError) as refusal:
        VectorPlayer(agent(Cheat), game, ALL, np.random.default_rng(8)).act(shown, actions)
    said = f"The agent 'one' chose action {choice}; the legal actions are 1 rock, 2 paper, 3 scissors."
    assert str(refusal.value) == said


def test_certain_choices_for_many_seats_are_taken_as_they_are_and_checked() -> None:
    class Last(Leaning):
        def choices(self, features: Any, masks: Any) -> Any:
            return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

        def policies(self, features: Any, masks: Any) -> Any:
            raise NotImplementedError

    class First(Last):
        def choices(self, features: Any, masks: Any) -> Any:
            return masks[:, 0]  # 0, which is not legal, or 1

    game, _, shown, actions = started()
    VectorPlayer(agent(Last), game, ALL, np.random.default_rng(8)).act(shown, actions)
    one_by_one = np.zeros_like(actions)
    VectorPlayer(agent(Diary), game, ALL, np.random.default_rng(8)).act(shown, one_by_one)
    assert actions.tolist() == one_by_one.tolist()
    said = r"^The agent 'one' chose action 0; the legal actions are 1 rock, 2 paper, 3 scissors\.$"
    with pytest.raises(AgentError, match=said):
        VectorPlayer(agent(First), game, ALL, np.random.default_rng(8)).act(shown, actions)


def test_an_agent_that_does_not_play_the_game_sits_nowhere() -> None:
    with pytest.raises(AgentError, match="it plays chess, not hidden_hands"):
        VectorPlayer(Agent("one", "Another's.", Leaning, games=("chess",)), ToyGame(), ALL, np.random.default_rng(8))


@pytest.mark.parametrize("share", [1 / 3, 5e-324])
def test_what_is_drawn_is_never_of_probability_zero(share: float) -> None:
    """It is so at both ends of the random range, for tiny probabilities, and if illegal actions have positive ones."""

    class Paper(Leaning):
        def policies(self, features: Any, masks: Any) -> Any:
            return np.tile([5.0, 0.0, share, 0.0, 5.0], (len(masks), 1))

    for number in (0.0, float(np.nextafter(1.0, 0.0))):
        game, _, shown, actions = started()
        always: Any = SimpleNamespace(random=partial(np.full, fill_value=number))
        VectorPlayer(agent(Paper), game, ALL, always).act(shown, actions)
        assert (actions == 2).all()


def test_a_mixed_policy_is_played_mixed() -> None:
    class Mixed(Leaning):
        def policies(self, features: Any, masks: Any) -> Any:
            return np.tile([0.0, 1.0, 2.0, 1.0, 0.0], (len(masks), 1))

    game, _, shown, actions = started(slots=2000)
    VectorPlayer(agent(Mixed), game, [(slot, 0) for slot in range(2000)], np.random.default_rng(8)).act(shown, actions)
    found = np.bincount(actions[:, 0], minlength=4)[1:]
    deviation = np.sqrt(2000 * np.array([0.25 * 0.75, 0.5 * 0.5, 0.25 * 0.75]))
    assert (abs(found - [500, 1000, 500]) < 5 * deviation).all()
