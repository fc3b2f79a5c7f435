"""The host: fights with their full rules, secret choices, seats with tokens, and a store that loses nothing."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.app.cli.main import main
from heartrush_env.app.server.hosting import host as hosts
from heartrush_env.app.server.hosting.host import Host
from heartrush_env.app.server.hosting.store import Store
from heartrush_env.tabletop.errors import HeartRushError
from tests.processes import PATIENCE, started

DUEL: dict[str, Any] = {"type": "new", "game": {"scenario": "duel"}}
SEATS = ("knight_0", "duelist_0")
SEED = 11
AGENTS = ("uniform", "duelist", "frequency")


def answered(host: Host, client: str | None = None, **message: Any) -> dict[str, Any]:
    """Return the answer of a host to a message."""
    answer: dict[str, Any] = json.loads(host.answer(json.dumps(message).encode(), client))
    return answer


class Table:
    """A host and a fight on it, with the tokens of all players."""

    def __init__(self, host: Host, **new: Any) -> None:
        self.host = host
        made = self.ask(**{**DUEL, **new})
        assert made["type"] == "created", made
        self.fight, self.owner, self.open = made["fight"], made["token"], made["open"]
        self.tokens = {seat: self.ask(type="join", fight=self.fight, seat=seat)["token"] for seat in self.open}

    def ask(self, **message: Any) -> dict[str, Any]:
        return answered(self.host, **message)

    def look(self, seat: str | None = None) -> dict[str, Any]:
        return self.ask(type="look", fight=self.fight, **({} if seat is None else {"token": self.tokens[seat]}))

    def legal(self, seat: str) -> list[str]:
        return [option["name"] for option in self.look(seat)["mine"]["legal"]]

    def act(self, seat: str, choice: str, window: int | None = None, **more: Any) -> dict[str, Any]:
        window = self.look()["window"] if window is None else window
        return self.ask(type="choose", fight=self.fight, token=self.tokens[seat], window=window, choice=choice, **more)

    def play(self, choose: Callable[[str, list[str]], str], windows: int = 10_000) -> None:
        """Play on, with `choose` picking one of each seat's legal choices."""
        for _ in range(windows):
            if self.look()["over"]:
                return
            for seat, legal in [(seat, self.legal(seat)) for seat in self.tokens]:
                if legal:
                    assert self.act(seat, choose(seat, legal))["type"] == "accepted"

    def events(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        while (page := self.ask(type="events", fight=self.fight, since=len(found)))["events"]:
            found += page["events"]
        return found


def after_a_kill(host: Host, store: Path) -> Host:
    """Open a second host on a store whose first host was killed: it closed nothing, but its lock is released."""
    host._store._release()
    return Host(store, AGENTS)


def still() -> float:
    """Return a constant time, on a clock by which agents have all the time they need for a turn."""
    return 0.0


def at_random(seed: int = 3) -> Callable[[str, list[str]], str]:
    rng = random.Random(seed)
    return lambda seat, legal: rng.choice(legal)


# -- playing -------------------------------------------------------------------------------------------------------


def test_a_hosted_fight_is_the_fight_of_the_environment() -> None:
    env, table, choose = heart_rush_v0.parallel_env("duel"), Table(Host(agents=AGENTS), seed=SEED), at_random()
    observations, _ = env.reset(seed=SEED)
    names, events = env.get_action_meanings(), list(env.events)
    while env.agents:
        chosen = {}
        for seat in env.agents:
            legal = [names[number] for number in observations[seat]["action_mask"].nonzero()[0]]
            assert sorted(table.legal(seat)) == (sorted(legal) if len(legal) > 1 else [])
            chosen[seat] = choose(seat, legal) if len(legal) > 1 else legal[0]
        for seat in [seat for seat in env.agents if table.legal(seat)]:
            assert table.act(seat, chosen[seat])["type"] == "accepted"
        actions = {seat: names.index(choice) for seat, choice in chosen.items()}
        observations, *_ = env.step(actions)
        events += env.events
    state = table.look()
    assert state["over"] and state["winners"] == events[-1]["winners"]
    assert [each["event"] for each in table.events()] == json.loads(json.dumps(events))
    assert [each["number"] for each in table.events()] == list(range(len(events)))


def test_agents_play_the_seats_that_they_are_given(tmp_path: Path) -> None:
    table = Table(Host(agents=AGENTS, clock=still), agents={"duelist_0": "duelist", "knight_0": "uniform@mistakes=0.5"})
    state = table.look()
    assert state["over"] and table.open == []
    holders = {each["seat"]: each["holder"] for each in state["seats"]}
    assert holders == {"duelist_0": "duelist", "knight_0": "uniform@mistakes=0.5"}
    record = tmp_path / "fight.jsonl"
    record.write_text(table.ask(type="save", fight=table.fight)["record"], encoding="utf-8")
    assert main(["replay", str(record)]) == 0


def test_each_seat_shows_the_display_name_of_its_fighter() -> None:
    seats = Table(Host(agents=AGENTS, clock=still), game={"scenario": "skirmish"}).look()["seats"]
    assert [(seat["seat"], seat["fighter"]) for seat in seats] == [
        ("knight_0", "Knight 1"), ("archer_0", "Archer 1"), ("knight_1", "Knight 2"), ("archer_1", "Archer 2"),
    ]  # fmt: skip


def test_lines_are_the_narration_and_choices_have_words_and_an_owner_closes_the_fight() -> None:
    table = Table(Host(agents=AGENTS), seed=SEED)
    options = {each["name"]: each["words"] for each in table.look("knight_0")["mine"]["legal"]}
    assert set(options) == {f"stance {stance}" for stance in ("might", "agility", "cunning", "defensive")}
    for seat in SEATS:
        table.act(seat, "stance might")
    lines = [line for each in table.events() for line in each["lines"]]
    assert "  Stances: Knight might, Duelist might" in lines
    assert table.ask(type="close", fight=table.fight, token=table.owner)["type"] == "closed"
    assert table.look()["code"] == "no_fight"
    assert table.ask(type="fights")["fights"] == []


def test_a_choice_is_secret_until_all_have_chosen() -> None:
    table, other = Table(Host(agents=AGENTS), seed=SEED), Table(Host(agents=AGENTS), seed=SEED)
    table.act("knight_0", "stance might")
    other.act("knight_0", "stance cunning")
    for seat in (None, "duelist_0", "knight_0"):
        one, two = table.look(seat), other.look(seat)
        for state in (one, two):
            del state["fight"]
        assert one == two
    assert [each["chosen"] for each in one["seats"]] == [True, False]
    assert table.events() == other.events()
    assert b"might" not in json.dumps(table.ask(type="fights")).encode()


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "choose", "token": "x", "window": 0, "choice": "stance might"}, "bad_token"),
        ({"type": "look", "token": "x"}, "bad_token"),
        ({"type": "close", "token": "x"}, "bad_token"),
        ({"type": "join", "seat": "knight_0"}, "taken"),
        ({"type": "join", "seat": "nobody"}, "bad_field"),
        ({"type": "save"}, "not_over"),
        ({"type": "look", "fight": "nothing"}, "no_fight"),
        ({"type": "look", "fight": 7}, "bad_field"),
        ({"type": "fly"}, "bad_field"),
        ({"type": "new", "game": {"scenario": "/etc/passwd"}}, "bad_field"),
        ({"type": "new", "game": {"scenario": "duel"}, "agents": {"nobody": "uniform"}}, "bad_field"),
        ({"type": "new", "game": {"scenario": "duel"}, "agents": {"knight_0": "/tmp"}}, "bad_field"),
        ({"type": "new", "game": {"scenario": "duel"}, "agents": {"knight_0": "equilibrium"}}, "bad_field"),
        ({"type": "new", "game": {"scenario": "duel", "control": "team"}}, "bad_field"),
        ({"type": "new", "game": {"scenario": "duel"}, "seconds": -1}, "bad_field"),
    ],
)
def test_what_may_not_be_is_one_sentence_and_changes_nothing(message: dict[str, Any], code: str) -> None:
    table = Table(Host(agents=AGENTS), seed=SEED)
    before = table.look("knight_0"), table.events()
    answer = table.ask(**{"fight": table.fight, **message, "id": "7"})
    assert (answer["type"], answer["code"], answer["id"]) == ("error", code, "7"), answer
    assert answer["message"].endswith(".") and "\n" not in answer["message"]
    assert (table.look("knight_0"), table.events()) == before


def test_a_seat_chooses_once_in_its_window_and_only_what_is_legal() -> None:
    table = Table(Host(agents=AGENTS), seed=SEED)
    assert table.act("knight_0", "attack 1")["code"] == "illegal"
    assert table.act("knight_0", "stance might", window=1)["code"] == "late"
    assert table.act("knight_0", "stance might")["type"] == "accepted"
    assert table.act("knight_0", "stance cunning")["code"] == "chosen"
    assert table.act("duelist_0", "stance might", window=0)["type"] == "accepted"
    assert table.act("knight_0", "stance might", window=0)["code"] == "late"
    table.play(at_random())
    assert table.act("knight_0", "pass")["code"] == "over"


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b" " * (2**20 + 1)])
def test_what_is_no_message_is_refused(line: bytes) -> None:
    answer = json.loads(Host(agents=AGENTS).answer(line))
    assert answer["type"] == "error" and answer["code"] in ("bad_json", "bad_field", "too_long")


# -- time ----------------------------------------------------------------------------------------------------------


def test_who_lets_the_time_pass_has_the_fallback_played() -> None:
    now = [0.0]
    table = Table(Host(agents=AGENTS, clock=lambda: now[0]), seconds=30, seed=SEED)
    table.act("knight_0", "stance might")
    assert table.look()["seconds_left"] == 30
    now[0] = 29.5
    table.host.play_late()
    assert table.look()["window"] == 0 and table.host.next_due() == 0.5
    now[0] = 30
    table.host.play_late()
    state = table.look()
    assert state["window"] >= 1 and state["seconds_left"] == 30
    reveal = next(each["event"] for each in table.events() if each["event"]["type"] == "reveal")
    assert reveal["stances"]["knight_0"] == "might" and reveal["stances"]["duelist_0"] == "defensive"


def test_time_begins_when_all_seats_are_held() -> None:
    now = [0.0]
    host = Host(agents=AGENTS, clock=lambda: now[0])
    made = answered(host, **DUEL, seconds=5)
    assert host.next_due() is None
    for seat in made["open"]:
        now[0] += 100
        answered(host, type="join", fight=made["fight"], seat=seat)
    assert host.next_due() == 5


# -- the store -----------------------------------------------------------------------------------------------------


def test_another_host_goes_on_where_the_store_stands(tmp_path: Path) -> None:
    store = tmp_path / "fights.sqlite"
    whole, table = Table(Host(agents=AGENTS), seed=SEED), Table(Host(store, AGENTS), seed=SEED)
    whole.play(at_random())
    choose = at_random()
    while not table.look()["over"]:
        for seat, legal in [(seat, table.legal(seat)) for seat in table.tokens]:
            if legal:
                assert table.act(seat, choose(seat, legal))["type"] == "accepted"
                if table.look()["window"] % 7 == 0:
                    table.host = after_a_kill(table.host, store)
    assert table.events() == whole.events()
    assert table.ask(type="save", fight=table.fight)["type"] == "saved"


def test_agents_choose_the_same_after_a_start(tmp_path: Path) -> None:
    agents = {"duelist_0": "frequency"}
    stores = (":memory:", tmp_path / "f")
    whole, table = (Table(Host(store, AGENTS), seed=SEED, agents=agents) for store in stores)
    whole.play(at_random())
    choose = at_random()
    while not table.look()["over"]:
        table.play(choose, windows=1)
        table.host = after_a_kill(table.host, tmp_path / "f")
    assert table.events() == whole.events()


def test_a_refused_request_undoes_nothing_of_others_in_the_same_commit(tmp_path: Path) -> None:
    host = Host(tmp_path / "f", AGENTS)
    tables = [Table(host, seed=SEED) for _ in range(3)]
    with host.together():
        for table in tables[:2]:
            assert table.act("knight_0", "stance might")["type"] == "accepted"
        fight = host._live[tables[2].fight].fight
        fight.play = lambda chosen: 1 / 0  # type: ignore[method-assign]  # it fails after both choices
        assert tables[2].act("knight_0", "stance might")["type"] == "accepted"
        assert tables[2].act("duelist_0", "stance might")["code"] == "internal"
        assert tables[0].act("duelist_0", "stance cunning")["type"] == "accepted"
        assert tables[1].ask(type="close", fight=tables[1].fight, token=tables[1].owner)["type"] == "closed"
    stored = [dict(host._store.choices(table.fight)) for table in tables]
    assert stored[0][0] == {"knight_0": "stance might", "duelist_0": "stance cunning"}
    assert stored[1:] == [{}, {0: {"knight_0": "stance might"}}]


def test_requests_that_only_read_begin_no_transaction(tmp_path: Path) -> None:
    host = Host(tmp_path / "f", AGENTS)
    table, statements = Table(host, seed=SEED), list[str]()
    host._store._file.set_trace_callback(statements.append)
    table.look("knight_0")
    table.events()
    assert statements == []
    table.act("knight_0", "stance might", window=0)
    assert [statement.split()[0] for statement in statements] == ["BEGIN", "INSERT", "COMMIT"]


def test_a_fight_of_another_version_is_refused_and_the_rest_goes_on(tmp_path: Path) -> None:
    first = Host(tmp_path / "f", AGENTS)
    old, new = Table(first), Table(first)
    first._store._file.execute("UPDATE fights SET digest = 'other' WHERE fight = ?", (old.fight,))
    old.host = new.host = after_a_kill(first, tmp_path / "f")
    new.host.resume()
    assert old.look()["code"] == "other_version" and new.look()["type"] == "state"
    listed = {each["fight"]: each.get("unplayable") for each in new.ask(type="fights")["fights"]}
    assert listed == {old.fight: old.look()["message"], new.fight: None}


def test_what_is_no_store_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("not a store, but long enough to be read as something " * 10, encoding="utf-8")
    with pytest.raises(HeartRushError, match="cannot be used as a store of fights"):
        Host(tmp_path / "f", AGENTS)
    store = Store(tmp_path / "g")
    store._file.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(HeartRushError, match="expected a store of version 1, got version 99"):
        Host(tmp_path / "g")


# -- limits --------------------------------------------------------------------------------------------------------


def test_the_lines_of_events_count_as_long_as_their_fight_is_in_memory() -> None:
    host = Host(agents=AGENTS, clock=still)
    table, empty = Table(host, agents=dict.fromkeys(SEATS, "uniform")), Host(agents=AGENTS).bytes_held
    before = host.bytes_held
    lines = [line for each in table.events() for line in each["lines"]]
    assert host.bytes_held > before + sum(map(len, lines))
    table.ask(type="close", fight=table.fight, token=table.owner)
    assert host.bytes_held == empty


def test_fights_that_are_over_make_room_and_others_do_not() -> None:
    host = Host(agents=AGENTS, most_fights=2, clock=still)
    over, going_on = Table(host, agents={"duelist_0": "uniform", "knight_0": "uniform"}), Table(host)
    third = Table(host)
    assert over.look()["code"] == "no_fight" and going_on.look()["type"] == third.look()["type"] == "state"
    assert going_on.ask(**DUEL)["code"] == "full"


def test_fights_leave_memory_and_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "MOST_IN_MEMORY", 2)
    host = Host(agents=AGENTS)
    tables = [Table(host, seed=seed) for seed in range(5)]
    for table in tables:
        table.act("knight_0", "stance might")
    assert len(host._live) == 2
    for table in tables:
        assert [each["chosen"] for each in table.look()["seats"]] == [True, False]
    batches = [block for blocks in host._slots._blocks.values() for block in blocks]
    assert sum(len(block.actions) - len(block.free) for block in batches) == 2


BATCH = 22 * 330_000  # a little more than the bytes of a batch of duels


@pytest.mark.long
def test_the_memory_of_fights_stays_within_its_bound_and_all_of_them_come_back() -> None:
    most, agents = 3 * BATCH, dict.fromkeys(SEATS, "uniform")
    host = Host(agents=AGENTS, clock=still, most_bytes=most)
    over = [Table(host, seed=seed, agents=agents) for seed in range(150)]
    assert BATCH < host.bytes_held <= most
    going_on = [Table(host, seed=seed) for seed in range(150)]
    assert BATCH < host.bytes_held <= most
    other = [Table(host, game={"scenario": "mirror_duel"}) for _ in range(100)]
    assert BATCH < host.bytes_held <= most
    assert all(table.look()["over"] and len(table.events()) == table.look()["events"] for table in over)
    assert all(table.act(table.open[0], "stance might")["type"] == "accepted" for table in [*going_on, *other])
    assert host.bytes_held <= most
    for table in [*over, *going_on, *other]:
        table.ask(type="close", fight=table.fight, token=table.owner)
    assert host.bytes_held == 0


@pytest.mark.long
def test_fights_that_are_over_leave_memory_before_those_that_go_on() -> None:
    host, agents = Host(agents=AGENTS, clock=still, most_bytes=2 * BATCH), dict.fromkeys(SEATS, "uniform")
    going_on = [Table(host, seed=seed) for seed in range(16)]
    fights = [host._live[table.fight].fight for table in going_on]
    for seed in range(100):
        Table(host, seed=seed, agents=agents)
    assert [host._live[table.fight].fight for table in going_on] == fights


def test_a_long_fight_of_agents_lets_others_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = {"duelist_0": "uniform", "knight_0": "duelist"}
    whole = Table(Host(agents=AGENTS, clock=still), seed=SEED, agents=agents)
    monkeypatch.setattr(hosts, "SECONDS_AT_ONCE", 0)
    table = Table(Host(agents=AGENTS), seed=SEED, agents=agents)
    seen = [table.look()["window"]]
    while table.host.next_due() == 0:
        table.host.play_late()
        seen.append(table.look()["window"])
    assert seen == sorted(seen) and len(set(seen)) > 3
    assert table.look()["over"] and table.events() == whole.events()


# -- over standard input and output --------------------------------------------------------------------------------


def test_who_watches_sees_each_change() -> None:
    command = [sys.executable, "-m", "heartrush_env.app.cli.main", "host", "uniform"]
    with started(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def send(**message: Any) -> None:
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()

        def said() -> dict[str, Any]:
            answer: dict[str, Any] = json.loads(process.stdout.readline())
            return answer

        send(**DUEL, agents={"duelist_0": "uniform"})
        fight = said()["fight"]
        send(type="watch", fight=fight, id="w")
        assert said()["id"] == "w"
        send(type="join", fight=fight, seat="knight_0", name="Ann")
        token, state = said()["token"], said()
        assert state["type"] == "state" and state["seats"][0]["name"] == "Ann"
        send(type="choose", fight=fight, token=token, window=0, choice="stance might")
        assert said()["type"] == "accepted" and said()["window"] >= 1
        process.stdin.write("x" * (2**20 + 5) + "\n")
        process.stdin.flush()
        assert said()["code"] == "too_long"
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
