"""A fight in play: its steps, kept for a record, and the narration of each window as it is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from heartrush_env.envs.match_runner import Players
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.tabletop.game import Event, Observation

Actions = Mapping[str, int]
Tell = Callable[[Sequence[Event]], None]


class Fight:
    """One fight, narrated as it happens; its dice come from its seed."""

    def __init__(self, env: ParallelFights, seed: int, tell: Tell) -> None:
        """Prepare the fight; it begins with start()."""
        self.env, self.seed = env, seed
        self.opening: list[Event] = []
        self.steps: list[tuple[dict[str, int], list[Event]]] = []  # the choices and the events of each step
        self.observations: dict[str, Observation] = {}
        self.rewards = dict.fromkeys(env.possible_agents, 0.0)  # the sum over all steps
        self._paid: Mapping[str, float] = self.rewards  # those of the last step
        self._tell = tell

    @property
    def dice(self) -> list[int] | None:
        """The dice given so far; None if the fight rolls its own dice."""
        return None

    def start(self) -> None:
        """Begin the fight."""
        self.opening = self._play(None)

    def step(self, actions: Actions) -> None:
        """Play one window."""
        chosen = dict(actions)
        self.steps.append((chosen, self._play(chosen)))
        self.rewards = {seat: reward + self._paid[seat] for seat, reward in self.rewards.items()}

    def play_out(self, players: Players, seat: str, ask: Callable[[], int], hear: Tell) -> None:
        """Play from start to end: `ask` returns the action of a person's seat, and `hear` takes each step's events."""
        players.new_match()
        players.new_fight((self.seed, 0))
        self.start()
        hear(self.opening)
        while self.env.agents:
            seen = self.observations  # neither the person nor an agent sees the other's choice in advance
            actions = {agent: players.act(agent, seen[agent]) for agent in players.at}
            self.step({**actions, seat: ask()})
            hear(self.steps[-1][1])

    def _play(self, actions: Actions | None) -> list[Event]:
        """Play and narrate a window, or the beginning if `actions` is None."""
        self._move(actions)
        self._tell(self.env.events)
        return self.env.events

    def _move(self, actions: Actions | None, dice: Sequence[int] | None = None) -> None:
        """Step the environment, or reset it if `actions` is None."""
        if actions is None:
            self.observations, _ = self.env.reset(seed=self.seed, options={"dice": dice})
        else:
            self.observations, self._paid, *_ = self.env.step(actions)
