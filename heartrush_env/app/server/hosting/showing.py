"""The state of a hosted fight as its clients see it."""

from __future__ import annotations

from heartrush_env.app.server.hosting.fight import HostedFight
from heartrush_env.app.server.hosting.messages import Seat, State
from heartrush_env.app.server.hosting.store import StoredFight


def seats_of(stored: StoredFight, fight: HostedFight, to: str | None = None) -> list[Seat]:
    """Return each seat's holder, and whether it was asked and has chosen, as shown to seat `to`, or to all if None."""
    return [
        Seat(
            seat=seat,
            team=team,
            holder=held.agent or ("open" if held.token is None else "player"),
            name=held.name,
            fighter=fight.names[seat],
            asked=fight.shows_asked(seat, to),
            chosen=fight.shows_chosen(seat, to),
        )
        for (seat, held), team in zip(
            ((seat, stored.seats[seat]) for seat in fight.game.agents), fight.game.teams, strict=True
        )
    ]


def state_of(stored: StoredFight, fight: HostedFight, seat: str | None, seconds_left: float | None) -> State:
    """Return the state of a fight as a seat or a spectator sees it.

    Args:
        stored: The stored fight, with its seats and title.
        fight: The fight in memory.
        seat: The seat; None for spectators.
        seconds_left: The time left in the open window; None without a limit.
    """
    return State(
        fight=stored.fight,
        title=stored.title,
        scenario=fight.game.scenario_name,
        window=fight.window,
        public=fight.public,
        standing=fight.standing,
        picture=fight.picture,
        seats=seats_of(stored, fight, seat),
        events=fight.events,
        over=fight.over,
        winners=fight.winners,
        seconds_left=None if seconds_left is None else round(max(0.0, seconds_left), 3),
        mine=None if seat is None else fight.mine(seat),
    )
