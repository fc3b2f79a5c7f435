"""Pictures in pixels: what is drawn where, and that nothing else is drawn."""

from typing import Any, ClassVar

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.board import theme
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.words.narrator import Narrator

pytest.importorskip("pygame", reason="pictures need the extra render")
pytest.importorskip("PIL", reason="pictures need the extra render")

from heartrush_env.games.heart_rush.board import board as boards
from heartrush_env.games.heart_rush.board.board import BEFORE, MISSED
from heartrush_env.games.heart_rush.board.layout import lay_out, picture_size
from heartrush_env.games.heart_rush.board.scenes import dropped
from heartrush_env.tabletop.game import Moment
from heartrush_env.tabletop.render.canvas import INDENT, Pen, shortened, width_of, wrapped


class Board(boards.Board):
    """A board that counts the moments itself, and names the fighters of a view by their ids."""

    def __init__(self, size: tuple[int, int] | None = None, names: dict[str, str] | None = None) -> None:
        super().__init__(names or {}, cap=10)
        self.size = size

    def draw(self, view: Any, events: Any = (), when: Moment | None = None) -> Any:
        agents = [agent.rpartition("_")[::2] for agent in view["fighters"]]
        self.names = self.names or {f"{word}_{k}": f"{word.capitalize()} {int(k) + 1}" for word, k in agents}
        if when is None:
            if {"type": "round", "round": 1} in events:
                self._when = BEFORE
            drawn = self._drawn is not None and self._drawn[1:3] == (view, events)
            when = self._when if drawn else self._when.next()
        return super().draw(view, events, when)


def view_of(scenario: str, **changed: dict[str, Any]) -> dict[str, Any]:
    """Return the first view of a scenario as the engine describes it, with some fighters changed."""
    start = load_scenario(scenario)
    fighters: dict[str, Any] = {}
    for sheet in start.fighters:
        fighters[sheet.agent] = {
            **{"team": sheet.team, "hp": sheet.hp_now, "hp_max": sheet.hp, "heart": sheet.heart_now, "wounds": 0},
            **{"heart_max": sheet.heart, "status": "standing", "conditions": {}, "stance": None, "grappling": None},
            **{"climbing": None, "armed": True, "action": True},
        }
        if start.battlefield is not None:
            side = max(1, sheet.size_rank)
            fighters[sheet.agent] |= {"at": list(sheet.at or ()), "side": side, "rush": sheet.rush, "weapon": "melee"}
        fighters[sheet.agent] |= changed.get(sheet.agent, {})
    view = {"round": 1, "window": "stance", "phase": None, "cause": None, "winners": [], "fighters": fighters}
    if start.battlefield is not None:
        ground = start.battlefield
        view["battlefield"] = {"map": list(ground.rows), "drop": ground.drop, "light": ground.light}
    return view


def attack(attacker: str, target: str, damage: int) -> dict[str, Any]:
    event = {"type": "attack", "attacker": attacker, "target": target, "stance": "might", "contested": False}
    event |= {"attack_roll": 17, "attack_dice": [8, 9], "attack_causes": {}}
    event |= {"defense_roll": 17 - damage, "defense_dice": [2], "defense_causes": {}}
    return {**event, "damage": damage, "hurt": target if damage else None}


def has(frame: Any, color: theme.Color) -> bool:
    """Return whether a frame has any pixel of nearly this color."""
    return dots(frame, color) > 0


def dots(frame: Any, color: theme.Color) -> int:
    """Return the number of pixels of nearly this color."""
    return int((np.abs(frame.astype(int) - np.array(color)).max(axis=2) <= 3).sum())


def ground(frame: Any, view: dict[str, Any]) -> Any:
    """Return the part of a frame that shows the ground and the tokens, without the rows of fighters."""
    left, top, width, height = (int(edge) for edge in lay_out((frame.shape[1], frame.shape[0]), view).ground)
    return frame[top : top + height, left : left + width]


class Spy(Pen):
    """A pen that remembers the strings that it writes into its picture."""

    texts: ClassVar[list[tuple[str, tuple[float, float]]]] = []

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.texts.clear()

    def write(self, text: str, at: Any, size: int, color: Any, align: str = "left") -> None:
        self.texts.append((text, at))
        super().write(text, at, size, color, align)


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> type[Spy]:
    """Return the class of pen that collects the strings in the last picture."""
    monkeypatch.setattr("heartrush_env.games.heart_rush.board.board.Pen", Spy)
    return Spy


@pytest.mark.parametrize("scenario", [*shipped_scenarios(), "random:3", "random:11"])
@pytest.mark.parametrize("size", [(800, 600), (480, 360), (1280, 720)])
def test_every_scenario_is_drawn_at_any_size(scenario: str, size: tuple[int, int]) -> None:
    view = view_of(scenario)
    frame = Board(size).draw(view)
    assert frame.shape == (size[1], size[0], 3) and frame.dtype == np.uint8
    for color in theme.team_colors(view).values():
        assert has(ground(frame, view), color), "each team is on the ground"


def test_the_same_moment_is_the_same_picture() -> None:
    first, second = (Board().draw(view_of("warband"), []) for _ in range(2))
    assert np.array_equal(first, second)


def test_a_moment_drawn_twice_is_drawn_once() -> None:
    board, view = Board(), view_of("skirmish")
    board.draw(view)
    events = [attack("knight_0", "knight_1", 4)]
    once = board.draw(view, events)
    assert np.array_equal(once, board.draw(view, events))
    assert not np.array_equal(once, board.draw(view, [*events, *events]))


def test_a_picture_once_given_stays() -> None:
    board = Board()
    frame = board.draw(view_of("duel"))
    before = frame.copy()
    board.draw(view_of("duel", knight_0={"hp": 1}))
    assert np.array_equal(frame, before)


def test_hit_points_show() -> None:
    assert not has(Board().draw(view_of("duel")), theme.LOW)
    hurt = view_of("duel", knight_0={"hp": 5})
    assert has(ground(Board().draw(hurt), hurt), theme.LOW)


def test_the_fallen_are_seen_to_be_out() -> None:
    views = view_of("mirror_duel"), view_of("mirror_duel", fencer_1={"status": "dead", "hp": -40})
    standing, fallen = (ground(Board().draw(view), view) for view in views)
    assert has(standing, theme.TEAM_COLORS["red"]) and not has(fallen, theme.TEAM_COLORS["red"])
    assert has(fallen, theme.TEAM_COLORS["blue"])


@pytest.mark.parametrize("stance", theme.STANCE_COLORS)
def test_a_stance_shows_when_it_is_revealed(stance: str) -> None:
    color = theme.STANCE_COLORS[stance]
    hidden, shown = Board().draw(view_of("giant")), Board().draw(view_of("giant", knight_0={"stance": stance}))
    assert dots(shown, color) > 2 * dots(hidden, color), "beside the legend it is on the token and in the row"


def test_a_blow_is_an_arrow_and_a_number() -> None:
    for scenario, by, target in (("duel", "knight_0", "duelist_0"), ("bridge", "archer_0", "archer_1")):
        view = view_of(scenario)
        quiet, loud = Board().draw(view), Board().draw(view, [attack(by, target, 9)])
        changed = (ground(quiet, view) != ground(loud, view)).any(axis=2)
        assert changed.any(axis=0).sum() > 100, "it reaches across"
        assert has(loud, theme.STANCE_COLORS["might"])


def test_a_way_is_drawn_from_where_the_fighter_stood() -> None:
    board = Board()
    board.draw(view_of("skirmish"))
    path = [[3, 4], [4, 4], [5, 4]]
    move = {"type": "move", "fighter": "knight_0", "how": "dash", "path": path}
    moved = view_of("skirmish", knight_0={"at": [5, 4]})
    with_start, without = board.draw(moved, [move]), Board().draw(moved, [move])
    plain = Board().draw(moved)
    drawn = [(ground(frame, moved) != ground(plain, moved)).any(axis=2).sum() for frame in (with_start, without)]
    assert drawn[0] > drawn[1] > 0, "a board that has not seen where it stood begins with the first square of the way"


def test_a_new_fight_forgets_the_old_one() -> None:
    board, view = Board(), view_of("skirmish")
    board.draw(view, [attack("knight_0", "knight_1", 4)])
    begun = [{"type": "round", "round": 1}]
    assert np.array_equal(board.draw(view, begun), Board().draw(view, begun))


def test_a_door_that_opens_is_drawn_anew() -> None:
    board, view = Board(), view_of("warband")
    closed = board.draw(view)
    rows = [row.replace("+", "/") for row in view["battlefield"]["map"]]
    opened = board.draw({**view, "battlefield": {**view["battlefield"], "map": rows}})
    assert not np.array_equal(ground(closed, view), ground(opened, view))


def test_darkness_is_darker() -> None:
    view = view_of("skirmish")
    means = []
    for light in ("bright", "dim", "dark"):
        means.append(Board().draw({**view, "battlefield": {**view["battlefield"], "light": light}}).mean())
    assert means == sorted(means, reverse=True) and len(set(means)) == 3


def test_sixteen_have_a_row_each_within_the_picture(spy: type[Spy]) -> None:
    Board().draw(view_of("warband"), [attack("knight_0", "knight_1", 3)] * 9)
    texts = [text for text, _ in spy.texts]
    for name in ("Knight 1", "Guard 4", "Archer 4", "Healer 2"):
        assert name in texts
    assert all(0 < x < 960 and 0 < y < 720 for _, (x, y) in spy.texts)


# ----------------------------------------------------------------------------------------------- fights that are played


class Fought:
    """A duel that collects its captions and reads its pictures."""

    def __init__(self, spy: type[Spy]) -> None:
        self.env = heart_rush_v0.parallel_env("duel", render_mode="rgb_array")
        self.names = {sheet.agent: sheet.name for sheet in self.env.game.scenario.fighters}
        self.spy, self.rng = spy, np.random.default_rng(1)
        self.begin(7)

    def begin(self, seed: int) -> None:
        """Begin a fight."""
        self.observations, _ = self.env.reset(seed=seed)

    def play(self, steps: int, every: int = 1) -> list[str]:
        """Play randomly, drawing every `every` steps, or never if 0; return the captions."""
        lines = []
        for number in range(1, steps + 1):
            chosen = {
                agent: int(self.rng.choice(np.flatnonzero(self.observations[agent]["action_mask"])))
                for agent in self.env.agents
            }
            self.observations, *_ = self.env.step(chosen)
            lines += theme.captions(self.env.events, self.names)
            if every and number % every == 0:
                self.env.render()
        return lines

    def read(self) -> list[str]:
        """Return all strings in the current picture."""
        self.env.render()
        return [text for text, _ in self.spy.texts]


def test_a_fight_begun_anew_shows_nothing_of_the_old_one(spy: type[Spy]) -> None:
    fought = Fought(spy)
    old = fought.play(20)
    assert old[-1] in fought.read()
    fought.begin(8)
    new = fought.play(4, every=0)
    assert not set(fought.read()) & (set(old) - set(new))


def test_a_fight_taken_back_shows_nothing_of_what_came_later(spy: type[Spy]) -> None:
    fought = Fought(spy)
    before = fought.play(12)
    snapshot = fought.env.unwrapped.snapshot()
    later = set(fought.play(12)) - set(before)
    assert later & set(fought.read())
    fought.env.unwrapped.restore(snapshot)
    assert not set(fought.read()) & later
    other = set(fought.play(13, every=0))
    assert not set(fought.read()) & (later - other), "another way on from the same moment"


def test_steps_that_were_not_drawn_are_told(spy: type[Spy]) -> None:
    fought = Fought(spy)
    happened = fought.play(40, every=20)
    texts = fought.read()
    assert happened[-10:] in [texts[place : place + 10] for place in range(len(texts))]


def test_a_fight_first_drawn_in_its_midst_says_so(spy: type[Spy]) -> None:
    fought = Fought(spy)
    fought.play(12, every=0)
    assert MISSED in fought.read()


def test_the_start_of_a_fight_misses_nothing(spy: type[Spy]) -> None:
    fought = Fought(spy)
    assert MISSED not in fought.read()
    fought.play(3)
    assert MISSED not in fought.read()


# ------------------------------------------------------------------------------------------------------------- words


@pytest.mark.parametrize("scenario", shipped_scenarios())
def test_pictures_call_fighters_what_the_told_fight_calls_them(scenario: str, spy: type[Spy]) -> None:
    env = heart_rush_v0.parallel_env(scenario, render_mode="rgb_array")
    env.reset(seed=7)
    env.render()
    texts, narrator = [text for text, _ in spy.texts], Narrator(load_scenario(scenario))
    for agent in env.agents:
        name = narrator.name(agent)
        assert name in texts or shortened(name, 18, 100) in texts
        assert name.split()[-1] == shortened(name, 18, 100).split()[-1]


def test_labels_are_initials_with_the_number_of_the_name() -> None:
    expected = {"Knight": "K", "Spear Guard 3": "SG3", "Archer 12": "A12", "Bandit Captain": "BC"}
    expected |= {"Bandit 1": "Ban1", "Barbarian 1": "Bar1", "Red Wolf": "ReWo", "Red Wasp": "ReWa"}
    assert theme.labels({name: name for name in expected}) == expected


def test_a_name_too_wide_keeps_its_number() -> None:
    assert shortened("Knight 1", 18, 100) == "Knight 1"
    assert shortened("Very Old Mountain Giant 12", 18, 100) == "V. O. M. Giant 12"
    cut = shortened("Hobgoblinchieftain 2", 18, 100)
    assert cut.endswith("… 2") and cut.startswith("Hobgob") and width_of(cut, 18) <= 100


def test_a_line_too_wide_goes_on_below_with_amount_and_target_together() -> None:
    line = "Bandit Captain > Bandit Archer 2  24:7  12 to Bandit Archer 2"
    assert wrapped(line, 16, 600) == [line]
    assert wrapped(line, 16, 218) == ["Bandit Captain > Bandit Archer 2  24:7", f"{INDENT}12 to Bandit Archer 2"]
    told = "Bandit Archer 1: dirty strike on Bandit Captain succeeds"
    parts = wrapped(told, 16, 218)
    assert len(parts) == 2 and " ".join(part.strip() for part in parts) == told
    assert all(width_of(part, 16) <= 218 for part in parts)


def test_all_that_happened_is_written_to_its_end(spy: type[Spy]) -> None:
    names = {"knight_0": "Knight of the Round Table", "duelist_0": "Duelist of Montgomery"}
    Board(names=names).draw(view_of("duel"), [attack("knight_0", "duelist_0", 12)])
    assert any(text.strip().endswith("12 to Duelist of Montgomery") for text, _ in spy.texts)


@pytest.mark.parametrize("scenario", [*shipped_scenarios(), "random:3"])
def test_squares_are_large_enough_for_stances(scenario: str) -> None:
    view = view_of(scenario)
    size = picture_size(view)
    layout = lay_out(size, view)
    assert size in ((800, 600), (960, 720)) and (layout.tile >= 28 or "battlefield" not in view)
    for box in (layout.ground, layout.panel, layout.lines, *layout.rows.values()):
        assert min(box.left, box.top) >= 0
        assert box.left + box.width <= size[0] and box.top + box.height <= size[1]
    assert layout.lines.height >= 5 * 15


def test_a_wide_map_has_the_rows_below_it() -> None:
    assert lay_out((800, 600), view_of("bridge")).below and not lay_out((800, 600), view_of("tower")).below


def test_teams_have_the_colour_of_their_name_or_one_of_their_own() -> None:
    view = {"fighters": {str(k): {"team": team} for k, team in enumerate(("red", "wolves", "blue", "crows"))}}
    colors = theme.team_colors(view)
    assert colors["red"] == theme.TEAM_COLORS["red"] and colors["blue"] == theme.TEAM_COLORS["blue"]
    assert len(set(colors.values())) == 4


def test_captions_say_what_happened() -> None:
    push = {"type": "push", "fighter": "rogue_0", "by": "knight_0", "path": [[1, 2]]}
    assert theme.captions(
        [
            {"type": "round", "round": 2},
            attack("knight_0", "knight_1", 6),
            attack("knight_1", "knight_0", 0),
            {**push, "blocked": None},
            {**push, "blocked": "wall"},
            {**push, "blocked": "guard_1"},
            {**push, "path": [], "blocked": "wall"},
            {"type": "shrug", "fighter": "rogue_0", "heart_from": 8, "heart_to": 6},
            {"type": "damage", "fighter": "rogue_0", "by": "knight_0", "cause": "attack", "amount": 3, "hp": 9},
            {"type": "damage", "fighter": "rogue_0", "by": None, "cause": "fall", "amount": 3, "hp": 6},
            {"type": "fall", "fighter": "rogue_0", "feet": 10, "saved": False},
        ],
        {"knight_0": "Knight 1", "knight_1": "Knight 2", "rogue_0": "Rogue", "guard_1": "Spear Guard 2"},
    ) == [
        "Knight 1 > Knight 2  17:11  6 to Knight 2",
        "Knight 2 > Knight 1  17:17  no harm",
        "Knight 1 pushes Rogue 5 ft",
        "Knight 1 pushes Rogue 5 ft, into a wall",
        "Knight 1 pushes Rogue 5 ft, into Spear Guard 2",
        "Knight 1 pushes Rogue into a wall",
        "Rogue shrugs it off, heart d8 to d6",
        "Rogue takes 3 (fall)",
        "Rogue falls 10 ft",
    ]


# ------------------------------------------------------------------------------------------------ dice, letters, legend


def rolled(dice: list[int], causes: dict[str, int], total: int) -> dict[str, Any]:
    """Return an attack by the knight on the duelist, who defends with 5 + 4 and armor 5."""
    defense = {"defense_roll": 14, "defense_dice": [5, 4], "defense_causes": {}}
    roll = {"attack_roll": total, "attack_dice": dice, "attack_causes": causes}
    return {**attack("knight_0", "duelist_0", max(0, total - 14)), **roll, **defense}


def test_a_duel_shows_the_dice_of_its_attacks(spy: type[Spy]) -> None:
    """Heart 8, might 6 and weapon 11 are 25; two dice and armor 5 are 14."""
    Board().draw(view_of("duel"), [rolled([8, 6, 11], {}, 25)])
    texts = [text for text, _ in spy.texts]
    assert all(face in texts for face in ("8", "6", "11", "25", "5", "4", "+5", "14"))
    assert "+0" not in texts


@pytest.mark.parametrize(
    ("dice", "levels", "cap", "places"),
    [
        ([8, 6, 11], 0, 10, set()),
        ([8, 6, 11, 1, 7], 2, 10, {3, 1}),  # two levels of advantage: the two lowest, 1 and 6
        ([8, 6, 11, 1], -1, 10, {2}),  # disadvantage: the highest, 11
        ([8, 6, 11, 1], 3, 1, {3}),  # one level counts
        ([4, 4, 9], 1, 10, {0}),  # of equals the first
    ],
)
def test_dropped_dice_are_those_that_advantage_drops(dice: list[int], levels: int, cap: int, places: set[int]) -> None:
    assert dropped(dice, levels, cap) == places


def test_dropped_dice_are_added_to_nothing(spy: type[Spy]) -> None:
    """The dice are 8, 6, 11 and 1 with one level of advantage: 1 is dropped, the total is 25, and no bonus is shown."""
    Board().draw(view_of("duel"), [rolled([8, 6, 11, 1], {"help": 1}, 25)])
    texts = [text for text, _ in spy.texts]
    assert "1" in texts and not [text for text in texts if text and text[0] in "+-" and text not in ("+5", "-11")]


def test_letters_are_spaced_evenly_at_any_size() -> None:
    """The width of a text is proportional to its size, without rounding errors from the pixels of small letters."""
    for words in ("Knight > Duelist  24:17  7 to Duelist", "defensive", "illuminated", "weakened 2"):
        exact = width_of(words, 200) / 200
        for size in (14, 15, 16, 18):
            assert width_of(words, size) == pytest.approx(exact * size, rel=0.01), (words, size)


@pytest.mark.parametrize("scenario", ["duel", "melee", "skirmish", "warband"])
def test_the_letters_of_stances_are_explained(scenario: str, spy: type[Spy]) -> None:
    view = view_of(scenario)
    Board().draw(view)
    texts = [text for text, _ in spy.texts]
    for stance in theme.STANCE_COLORS:
        assert stance in texts and stance[0].upper() in texts
