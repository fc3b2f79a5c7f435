"""Twelve questions of a reader of the rulebook and eight of a programmer, each answered from two files."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.layout import modules, tree

RULES = "heartrush_env.games.heart_rush.rules."
MOST_FILES = 2
# What a reader must have read to know the whole rule: functions, classes and constants of `rules`.
QUESTIONS = {
    "shrug": "may_shrug shrug_off one_size_smaller Shrug",
    "ties in timing": "goes_before are_equals settle_timing roll_for_places",
    "fading of conditions": "fade FADING",
    "cover": "in_sight blocked_lines declared_cover is_sheltered aim_modifiers",
    "might push and follow": "MIGHT_PUSH pushes_by_might push_by_effect push_squares push may_follow follow_push",
    "the five ways to earn an opportunity attack": (
        "leaves_reach note_move_within_reach find_openings_at_riser may_strike_riser is_unaware is_surprised"
    ),
    "climb on": (
        "SIZES_TO_CLIMB ClimbOn climb_up get_onto save_to_keep_hold shake_climbers climb_down set_down "
        "ShakeOff roll_to_hang_on HopOff"
    ),
    "the grapple's drag": "drag pull_along let_go end_holds_out_of_reach",
    "cunning levels": "CUNNING_LEVELS may_name_levels inflict_cunning_levels",
    "long reach after a dash": "weapon_range note_lunge",
    "conscious at 0": "may_choose_to_fight_on status_after_damage may_yield tire",
    "surprise": "is_surprised is_able",
}

# What a programmer searches for, as a pattern of the code that answers it.
CODE = {
    "where is the ability Rage defined?": r'@ability\("rage"|^class Rage\b',
    "where is the round of Heart Rush?": r"def action_phase\(",
    "where is the feature hp_share?": r'feature\("hp_share"',
    "where is the reward paid?": r"def payment\(|def payments\(function",
    "where is autoreset?": r"if autoreset and",
    "where does the server check tokens?": r"compare_digest\(.*(token|owner)",
    "where does a recipe choose its opponents?": r"def (self_play|in_turn|priorities)\(|^class FixedOpponent\b",
    "where would I add a new game?": r"^GAMES: Final",
}


def defined(module: str) -> set[str]:
    """Return the names of the functions, classes and constants that a module defines."""
    names = set()
    for node in tree(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered_from_two_files(question: str) -> None:
    wanted = set(QUESTIONS[question].split())
    files = {module.removeprefix(RULES): wanted & defined(module) for module in modules() if module.startswith(RULES)}
    answers = {file: names for file, names in files.items() if names}
    assert sum(map(len, answers.values())) == len(wanted), f"each of these stands once: {answers}"
    assert len(answers) <= MOST_FILES, answers


@pytest.mark.parametrize("question", CODE)
def test_a_question_about_the_code_is_answered_from_two_files(question: str) -> None:
    wanted = re.compile(CODE[question], re.MULTILINE)
    answers = [module for module, file in modules().items() if wanted.search(file.read_text(encoding="utf-8"))]
    assert 1 <= len(answers) <= MOST_FILES, answers
