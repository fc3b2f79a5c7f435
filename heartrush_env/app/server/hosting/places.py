"""The capacity of a host, shared among clients so that no client can take all of it."""

from __future__ import annotations

from heartrush_env.app.server.hosting.messages import HostError
from heartrush_env.app.server.hosting.store import Store


class Places:
    """A record of which client has created which fights since the host started."""

    def __init__(self, store: Store, most: int) -> None:
        """Track the fights of a store that holds at most `most` fights."""
        self._store, self._most = store, most
        self._makers: dict[str, str] = {}  # by fight; some of the fights may be over

    def give(self, client: str, fight: str) -> None:
        """Record that a client has created a fight."""
        self._makers[fight] = client

    def take_back(self, fight: str) -> None:
        """Forget a fight that the store no longer holds."""
        self._makers.pop(fight, None)

    def check(self, client: str) -> None:
        """Refuse a client that has at least as many unfinished fights as there are places left.

        Raises:
            HostError: The client must finish or close a fight first.
        """
        left = self._most - self._store.count(going_on=True)
        if self._made(client) >= left:
            going_on = set(self._store.going_on(self._most))
            self._makers = {fight: maker for fight, maker in self._makers.items() if fight in going_on}
        made = self._made(client)
        if made >= left > 0:
            what = f"You have {made} unfinished fights, and {left} places are left"
            raise HostError("full", f"{what}; finish or close some fights first.")

    def _made(self, client: str) -> int:
        return sum(maker == client for maker in self._makers.values())
