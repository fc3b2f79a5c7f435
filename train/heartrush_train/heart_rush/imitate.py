"""Imitation: a policy is learned from the decisions of an agent, or from recorded fights of any player.

The teacher decides in fights of one or many scenarios, named or generated. In some fights the teacher plays a side. In
other fights the learner plays that side, and so also learns the teacher's decisions after its own mistakes (DAgger). A
tactician spends nearly all of its time on decisions with moves on a map, so the teacher can be limited to a fraction of
them; the learner makes the others. The loss is the cross-entropy to the teacher's policy, which is a full distribution
where the teacher mixes.

With foresight, the teacher of stances knows what its seat does not see: the stances that the enemies are about to take.
The teacher takes the best reply to these stances, by the exact odds. The learner does not see them; it learns to take
each stance as often as that stance turns out to be the best reply. When the learner plays against itself, this is
fictitious play, so the learner comes to mix its stances.

With `only_stances` the network decides only stances, in training and later: the tactician moves and attacks. So the
network learns only the game of hidden choices, which no tactician plays well.

Sources: Ross, Gordon and Bagnell, A Reduction of Imitation Learning to No-Regret Online Learning, AISTATS 2011; for
teachers that see more than learners, Chen, Zhou, Koltun and Krahenbuhl, Learning by Cheating, CoRL 2019.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from heartrush_agents import load
from heartrush_agents.heart_rush.learned.entity_agent import are_stances
from heartrush_agents.heart_rush.learned.entity_view import VectorReader
from heartrush_agents.heart_rush.tactics.rounds import STANCES_TAKEN
from heartrush_agents.heart_rush.tactics.tactician import TacticalPlayer, first_best
from numpy.typing import NDArray
from torch import Tensor, nn

from heartrush_env.games.heart_rush.encoding.action_slots import places
from heartrush_env.games.heart_rush.game import as_heart_rush
from heartrush_env.games.heart_rush.rules.terms import NO_STANCE, NOBODY, STANCES
from heartrush_env.records.record import read_record
from heartrush_env.records.replay import replay
from heartrush_env.tabletop.game import Game, policies_of, policy_of
from heartrush_train.config import ImitateConfig, TrainingError
from heartrush_train.heart_rush.entity_net import EntityNet
from heartrush_train.heart_rush.entity_rows import Rows
from heartrush_train.heart_rush.entity_seats import EntitySeats, drawn, policies
from heartrush_train.net_run import EntityRun
from heartrush_train.schedules import linear

HELD_OUT = 8  # one in HELD_OUT fights is kept out of training, for measurement
Whole = NDArray[np.int64]


class ImitateRun(EntityRun):
    """A run of the recipe `imitate`."""

    config: ImitateConfig

    def __init__(self, config: ImitateConfig, folder: Path) -> None:
        """Create the fights of all scenarios, or read the records, and create a new network."""
        super().__init__(config, folder, config.n_samples)
        self.net = EntityNet(*config.net_arch)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.learning_rate)
        self.recorded: Rows | None = None
        self.lessons: list[Lesson] = []
        self.memory: list[Rows] = []  # the decisions of the last updates since the checkpoint
        if config.records:
            self.recorded, self.games = read_decisions(config)
        else:
            self.lessons = [Lesson(game, config) for game in self.games]
        self.seats = [lesson.seats for lesson in self.lessons]

    # -- one update ----------------------------------------------------------------------------------------------------

    def gather(self, rng: np.random.Generator) -> Rows:
        """Return the decisions to learn from in one update, at least `n_samples` of them."""
        if self.recorded is not None:
            return self.recorded.take(rng.integers(len(self.recorded), size=self.samples_per_update))
        found: list[Rows] = []
        while sum(map(len, found)) < self.samples_per_update:
            for lesson in self.lessons:
                rows = lesson.window(self.net, rng)
                if rows is not None:
                    found.append(rows)
        return Rows.joined(found)

    def improve(self, memory: list[Rows], rng: np.random.Generator) -> None:
        """Measure the policy on the newest update's held-out decisions, and learn from the last few updates.

        Held-out decisions are never learned from.
        """
        config = self.config
        self.set_rate(linear(config.learning_rate, config.final_learning_rate, self.done))
        newest = memory[-1]
        self.measure(newest.take(np.flatnonzero(newest.more["held_out"])))
        everything = Rows.joined(memory) if len(memory) > 1 else newest
        taught = np.flatnonzero(~everything.more["held_out"])
        steps = max(1, config.n_epochs * self.samples_per_update // config.batch_size)
        for _ in range(steps):
            loss, _ = self.loss_of(everything.take(rng.choice(taught, size=config.batch_size)))
            self.descend(loss)
            self.note("loss", loss.item())

    def loss_of(self, rows: Rows) -> tuple[Tensor, Tensor]:
        """Return the mean cross-entropy to the teacher's policies, and the logits."""
        logits = self.net(rows.seen())[0]
        wanted = rows.dense_shares()
        logs = torch.log_softmax(logits, dim=1).masked_fill(logits == -torch.inf, 0.0)
        return -(wanted * logs).sum(dim=1).mean(), logits

    @torch.no_grad()
    def measure(self, rows: Rows) -> None:
        """Record the held-out loss, and how often the network's likeliest choice is the teacher's."""
        if len(rows):
            loss, logits = self.loss_of(rows)
            same = logits.argmax(dim=1) == rows.dense_shares().argmax(dim=1)
            self.note("held-out loss", loss.item())
            self.note("held-out agreement", same.float().mean().item())

    def next_update(self, rng: np.random.Generator) -> None:
        """Collect decisions, and learn from them together with the decisions of recent updates.

        Decisions are kept for `memory_updates` updates, but not beyond a checkpoint.
        """
        self.update += 1
        self.memory = [*self.memory[1 - self.config.memory_updates :], self.gather(rng)]
        self.improve(self.memory, rng)

    def learn_with(self, rng: np.random.Generator, updates: int, after_update: Callable[[], None]) -> None:
        """Make this number of updates on new fights, with all randomness from `rng`."""
        self.memory = []
        super().learn_with(rng, updates, after_update)

    def networks(self) -> Mapping[str, nn.Module]:
        """Return the network that a checkpoint holds."""
        return {"net": self.net}


class Lesson:
    """Fights of one scenario in which a teacher shows the learner what to do."""

    def __init__(self, game: Game, config: ImitateConfig) -> None:
        """Seat the opponents, and assign the teacher to every seat of the learner."""
        self.config, self.game = config, as_heart_rush(game)
        self.seats = EntitySeats(game, config.n_envs, config.opponents, bool(config.only_stances), config.side)
        agent = load(config.teacher)
        self.teacher: Any = agent.seat(game)
        self.alone: dict[tuple[int, int], Any] = {}  # a teacher with a memory has a player for each seat
        if not hasattr(self.teacher, "policies"):
            self.alone = {(slot, seat): agent.seat(game) for slot, seat in np.argwhere(self.seats.learns).tolist()}
        slots = np.arange(config.n_envs)
        teams = list(dict.fromkeys(game.teams))
        team = np.array([teams.index(team) for team in game.teams])
        plays = (slots[:, None] >> team % 2) % 2 == 0
        self.teacher_plays = self.seats.learns & plays  # the learner decides in all other seats
        self.held_out = slots % HELD_OUT == 1
        self.moves = self.game.action_slots.has_square
        self.tactician = TacticalPlayer(game)
        self.stances = np.array([game.action_names.index(f"stance {stance}") for stance in STANCES])
        team_of = [game.teams.index(team) for team in game.teams]
        self.enemies = places(team_of, self.game.shape)[: len(team_of), : self.game.shape.enemies]

    def window(self, net: EntityNet, rng: np.random.Generator) -> Rows | None:
        """Play a window; return the learner's decisions, if there are any, with the teacher's policies."""
        self.seats.others_choose()
        where, rows = self.seats.asked(), None
        if len(where[0]):
            seen, actions = self.seats.look(*where), self.seats.actions
            actions[where] = drawn(policies(net, seen)[0], rng)
            masks = self.seats.fights.observations["action_mask"][where]
            asked = ~masks[:, self.moves].any(axis=1) | (rng.random(len(masks)) < self.config.move_share)
            slots, seats = where[0][asked], where[1][asked]
            wanted = np.zeros(masks.shape, np.float32)
            if asked.any():
                wanted[asked] = self.taught(slots, seats)
            plays = asked & self.teacher_plays[where]
            actions[where[0][plays], where[1][plays]] = drawn(wanted[plays], rng)
            if self.config.foresight:
                self.foresee(*where, wanted)
            rows = Rows.of(seen, wanted, held_out=self.held_out[where[0]]).take(np.flatnonzero(asked))
        ended = self.seats.step()[1]
        for (slot, _), player in self.alone.items():
            if ended[slot]:
                player.new_fight()
        taught = self.teacher_plays[np.arange(len(ended)), self.seats.own_seat]
        for slot in np.flatnonzero(ended & taught).tolist():  # the teacher played these fights, not the learner
            if (scores := self.seats.scores.get(self.seats.opponents[slot])) is not None:
                scores.pop()
        return rows

    def taught(self, slots: Whole, seats: Whole) -> Any:
        """Return the teacher's policies for these seats, (rows, actions)."""
        masks, vectors = self.seats.fights.observations["action_mask"][slots, seats], self.seats.fights.vectors
        shown = vectors[slots, seats]
        if not self.alone:
            return np.asarray(policies_of(self.teacher, shown, masks), np.float32)
        each = zip(slots.tolist(), seats.tolist(), shown, masks, strict=True)
        return np.array(
            [
                policy_of(self.alone[slot, seat], {"observation": seen, "action_mask": mask})
                for slot, seat, seen, mask in each
            ],
            np.float32,
        )

    def foresee(self, slots: Whole, seats: Whole, wanted: Any) -> None:
        """Replace the teacher's policy in stance windows by the best reply to the enemies' current stances."""
        masks = self.seats.fights.observations["action_mask"][slots, seats]
        rows = np.flatnonzero(masks[:, self.stances[0]])
        if not len(rows):
            return
        foes = self.enemies[seats[rows]]  # (rows, enemy slots)
        taken = self.seats.actions[slots[rows][:, None], np.maximum(foes, 0)]
        which = taken[..., None] == self.stances
        stance = np.where((foes != NOBODY) & which.any(axis=2), which.argmax(axis=2), NO_STANCE)
        expects = np.eye(STANCES_TAKEN)[stance]
        vectors = self.seats.fights.vectors[slots[rows], seats[rows]]
        best = self.stances[first_best(self.tactician.stance_worth(vectors, expects))]
        wanted[rows] = 0
        wanted[rows, best] = 1


def read_decisions(config: ImitateConfig) -> tuple[Rows, list[Game]]:
    """Return the decisions of one player, or of all players, in recorded fights, and the games of those fights."""
    found: list[Rows] = []
    games: dict[str, Game] = {}
    readers: dict[str, VectorReader] = {}
    for number, path in enumerate(config.records):
        record = read_record(path)
        game = as_heart_rush(record.game)
        games[game.scenario_digest] = game
        reader = readers.setdefault(game.digest, VectorReader(game))
        for moment in replay(record):
            for seat, action in moment.actions.items():
                seen = moment.observations[seat]
                known = config.player in ("", record.seats[seat]["agent"])
                if config.only_stances:
                    known &= bool(are_stances(game, seen["action_mask"][None])[0])
                if known and np.count_nonzero(seen["action_mask"]) > 1:
                    wanted = np.zeros((1, len(game.action_names)), np.float32)
                    wanted[0, action] = 1
                    what = reader.look(seen["observation"][None], seen["action_mask"][None])
                    held_out = np.array([number % HELD_OUT == HELD_OUT - 1])
                    found.append(Rows.of(what, wanted, held_out=held_out))
    if not found:
        whose = f"of {config.player!r} " if config.player else ""
        raise TrainingError(f"records: expected at least one decision {whose}in them, got none.")
    return Rows.joined(found), list(games.values())
