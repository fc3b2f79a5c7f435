"""Each sentence of the combat chapter is played by functions that claim a heading, and each ruling has a test."""

import re
import tomllib
from pathlib import Path

from heartrush_env.tabletop.books import claims_of, rulings_of

HERE = Path(__file__).parent
GAME = "heartrush_env.games.heretics"
SENTENCES = tomllib.loads((HERE / "sentences.toml").read_text(encoding="utf-8"))["sentence"]
CLAIMED = {f"{claim.module.rpartition('.')[2]}.{claim.function}" for claim in claims_of(GAME)}


def test_every_sentence_is_played_or_says_why_it_is_no_rule() -> None:
    assert len(SENTENCES) == 64
    missing = [it["says"] for it in SENTENCES if not it.get("by") and "no_rule" not in it]
    assert missing == []


def test_the_functions_that_play_a_sentence_claim_a_heading() -> None:
    named = {function for it in SENTENCES for function in it.get("by", ())}
    assert sorted(named - CLAIMED) == []


def test_every_ruling_is_named_by_a_test() -> None:
    text = " ".join(path.read_text(encoding="utf-8") for path in HERE.rglob("test_*.py"))
    named = set(re.findall(r"R-\d+", text))
    assert sorted(set(rulings_of(GAME)) - named, key=lambda ruling: int(ruling[2:])) == []
