"""The Engagement > Choosing Your Stance > Strategic Discussion."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.choices import choice
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import MUTE, NO_STANCE, NOBODY, OPEN, OVERHEARD, SAY, STANCES
from heartrush_env.games.heart_rush.state.events import TALK_EVENT, tell
from heartrush_env.tabletop.rule import rule


@choice(
    "say",
    windows=("talk",),
    words="say {detail}",
    details=dict(enumerate(STANCES)),
    heading="Combat > The Engagement > Choosing Your Stance > Strategic Discussion",
    rulings=("R-50", "R-155"),
)
class Say:
    """An able fighter with a voice may say which stance it means to take in the engagement."""

    def may(fight, i, target, detail):
        return is_able(fight, i) and takes_part(fight, i) and not has(fight.fighters[i], MUTE)


@rule("Combat > The Engagement > Choosing Your Stance > Strategic Discussion", "R-50", "R-155")
def talk(fight, log):
    """Record what fighters say about their stances; if the setting `talk` is "overheard", all sides hear it at once."""
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.deed == SAY:
            fighter.said = fighter.detail
            if fight.rules.talk == OVERHEARD:
                fighter.heard = fighter.said
            tell(fight, log, TALK_EVENT, i, NOBODY, fighter.heard, 0)


@rule("Combat > The Engagement > Choosing Your Stance > Strategic Discussion", "R-155")
def disclose_talk(fight, log):
    """Let all sides hear what was said once stances are revealed, if the setting `talk` is "open"."""
    if fight.rules.talk == OPEN:
        for i in range(fight.n):
            fighter = fight.fighters[i]
            fighter.heard = fighter.said
            if fighter.said != NO_STANCE:
                tell(fight, log, TALK_EVENT, i, NOBODY, fighter.said, 0)
