"""The Engagement > Choosing Your Stance > Strategic Discussion."""

from __future__ import annotations

from heartrush_env.core.rule import rule
from heartrush_env.heart_rush.engine.events import TALK_EVENT, tell
from heartrush_env.heart_rush.rules.action_phase import is_able
from heartrush_env.heart_rush.rules.choices import choice
from heartrush_env.heart_rush.rules.engaging import takes_part
from heartrush_env.heart_rush.rules.sheet import has
from heartrush_env.heart_rush.rules.terms import MUTE, NO_STANCE, NOBODY, SAY, STANCES

TO_ALL = 2  # of the setting `talk`; 1 is to one's own side


@choice(
    "say",
    windows=("talk",),
    words="say {detail}",
    details=dict(enumerate(STANCES)),
    heading="Combat > The Engagement > Choosing Your Stance > Strategic Discussion",
    rulings=("R-50",),
)
class Say:
    """An able fighter with a voice may say which stance it means to take in the engagement."""

    def may(fight, i, target, detail):
        return is_able(fight, i) and takes_part(fight, i) and not has(fight.fighters[i], MUTE)


@rule("Combat > The Engagement > Choosing Your Stance > Strategic Discussion", "R-50")
def talk(match, log):
    """The words spoken are kept until the next talk."""
    for i in range(match.n):
        fighter = match.fighters[i]
        if fighter.deed == SAY:
            fighter.said = fighter.detail
            heard_by_all = match.rules.talk == TO_ALL
            tell(match, log, TALK_EVENT, i, NOBODY, fighter.detail if heard_by_all else NO_STANCE, 0)
