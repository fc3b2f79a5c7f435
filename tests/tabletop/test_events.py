"""Events as units: one declaration defines how an event is written, read, told and described."""

from types import SimpleNamespace
from typing import Any

import pytest

from heartrush_env.tabletop.events import (
    FIGHTER,
    FLAG,
    LOG_ROOM,
    NUMBER,
    TEAM,
    TEAMS,
    Events,
    in_words,
    new_log,
    word_of,
    words_of,
)

FIGHTERS, SIDES = ("ann_0", "bob_0"), ("blue", "red")
EVENTS = Events()
tell_blow = EVENTS.event(
    "blow", "{who} hits {whom}{hard: hard|} for {harm} {harm:point|points}{why:, by {why}|}.",
    who=FIGHTER, whom=FIGHTER, harm=NUMBER, hard=FLAG, kind=word_of(("cut", "stab")),
    why=words_of(("luck", "skill", "anger")),
)  # fmt: skip
tell_end = EVENTS.event(
    "end", lambda event: f"{in_words(event['winners'])} of {event['side']}!", winners=TEAMS, side=TEAM
)


def told(recording: bool = True) -> list[dict[str, object]]:
    fight, log = SimpleNamespace(recording=recording), new_log()[0]
    tell_blow(fight, log, 0, 1, 7, True, 1, 0b101)
    tell_blow(fight, log, -1, 1, 0, False, -1, 0)
    tell_end(fight, log, -1, 1)
    return read(log)


def read(log: Any) -> list[dict[str, object]]:
    return EVENTS.telling.events(log.events[: log.count], {"fighters": FIGHTERS, "teams": SIDES})


def test_events_are_read_in_the_words_of_their_columns() -> None:
    blow, miss, end = told()
    assert blow == {
        "type": "blow", "who": "ann_0", "whom": "bob_0", "harm": 7, "hard": True, "kind": "stab",
        "why": ["luck", "anger"],
    }  # fmt: skip
    assert (miss["who"], miss["kind"], miss["why"]) == (None, None, [])
    assert end == {"type": "end", "winners": [], "side": "red"}


def test_a_full_log_takes_no_more_and_fights_without_a_record_write_nothing() -> None:
    assert told(recording=False) == []
    fight, log = SimpleNamespace(recording=True), new_log()[0]
    for _ in range(LOG_ROOM + 3):
        tell_end(fight, log, 0, 0)
    assert len(read(log)) == LOG_ROOM


def test_sentences_come_from_templates_and_functions() -> None:
    blow, miss, end = told()
    assert EVENTS.sentence(blow) == "ann_0 hits bob_0 hard for 7 points, by luck and anger."
    assert EVENTS.sentence(miss) == "none hits bob_0 for 0 points."
    assert EVENTS.sentence(end) == "none of red!"


def test_the_schema_names_every_column() -> None:
    schema = EVENTS.units["blow"].schema()
    assert schema["required"] == ["type", "who", "whom", "harm", "hard", "kind", "why"]
    assert schema["properties"]["why"] == {"type": "array", "items": {"enum": ["luck", "skill", "anger"]}}
    assert len(EVENTS.schema()["oneOf"]) == 2


def test_a_second_event_of_a_name_is_refused() -> None:
    with pytest.raises(ImportError, match="event 'end': expected a new name"):
        EVENTS.event("end", "again")


def test_names_of_several_words_are_told_with_spaces_and_agents_by_their_names() -> None:
    assert in_words("short_sword") == "short sword"
    assert in_words(["long_sword", "brigand_0"]) == "long sword and brigand_0"


def test_a_template_says_words_as_their_column_has_them_with_other_columns_inside() -> None:
    events = Events()
    said = {"stab": "runs {whom} through", "none": "does nothing"}
    events.event("deed", "{who} {kind}.", who=FIGHTER, kind=word_of(("cut", "stab"), said), whom=FIGHTER)

    def sentence(kind: str | None) -> str:
        return events.sentence({"type": "deed", "who": "ann_0", "kind": kind, "whom": "bob_0"})

    assert sentence("stab") == "ann_0 runs bob_0 through."
    assert (sentence("cut"), sentence(None)) == ("ann_0 cut.", "ann_0 does nothing.")
