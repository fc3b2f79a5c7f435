"""`heartrush play` with abilities whose use has parts."""

from pathlib import Path

import numpy as np

from heartrush_env.tabletop.kernels import noting
from tests.app.cli.test_play import TALENTED, lines, played

DEFIANT = 'abilities = ["cry_of_defiance"]\nrush = 1\nconditions = { dazed = 1, weakened = 1 }'
BLOWS = 'abilities = ["hulking_blows"]\nrush = 3\nweapon = "maul"\nshield = "none"'


def test_the_parts_of_a_choice_are_asked_in_words(tmp_path: Path) -> None:
    path = tmp_path / "defiant.toml"
    path.write_text(TALENTED.replace('talents = ["Brutal Criticals"]\ndestiny_talents = ["fury"]', DEFIANT))
    with noting(), np.errstate(over="ignore"):
        answers = lines("use", "end", "dazed")
        _, shown, _ = played(answers, str(path), "--seat", "knight", "--enemy", "cunning", "--seed", "1")
    said = " ".join(shown.split())
    assert "Cry of Defiance: what do you pick? 1 end one condition 2 lose a level of each condition 3 heal" in said
    assert "Cry of Defiance: what do you pick? 1 dazed 2 weakened" in said
    assert "Knight picks for Cry of Defiance: dazed." in said


def test_what_an_enemys_ability_asks_is_asked_in_words(tmp_path: Path) -> None:
    """With this seed, the rogue uses its ability as soon as the stances are shown."""
    path = tmp_path / "blows.toml"
    path.write_text(
        TALENTED.replace('talents = ["Brutal Criticals"]\ndestiny_talents = ["fury"]', "").replace(
            'talents = ["cruelty"]', BLOWS
        )
    )
    with noting(), np.errstate(over="ignore"):
        answers = lines("might", "dodge")
        _, shown, _ = played(answers, str(path), "--seat", "knight", "--enemy", "random", "--seed", "16")
    said = " ".join(shown.split())
    assert "Rogue uses Hulking Blows on Knight. Hulking Blows of Rogue: what do you pick? 1 dodge 2 stand" in said
    assert "Knight picks for Hulking Blows of Rogue: dodge." in said
