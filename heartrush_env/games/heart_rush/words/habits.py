"""A player's habits in a fight, and how easily they can be guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.games.heart_rush.words.words import Beats

Stances = Sequence[str]
Guess = Callable[[Stances, Stances], str | None]  # own stances and the enemy's stances, latest last -> own next stance


@dataclass
class Habits:
    """The stances that a player took, and the stances of the opposing enemy."""

    beats: Beats  # by the rules of this fight
    own: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)  # "" if the enemy had none

    def add(self, own: str, other: str | None) -> None:
        """Add one reveal."""
        self.own.append(own)
        self.other.append(other or "")

    def counts(self) -> dict[str, int]:
        """Return how often each stance was taken."""
        return {stance: self.own.count(stance) for stance in STANCES}

    def after(self) -> dict[str, dict[str, int]]:
        """Return how often each stance followed each stance, without pairs that never occurred."""
        followed: dict[str, Counter[str]] = {}
        for before, then in zip(self.own, self.own[1:], strict=False):
            followed.setdefault(before, Counter())[then] += 1
        return {before: dict(followed[before]) for before in STANCES if before in followed}

    def kept(self) -> dict[str, tuple[int, int]]:
        """Return how often a stance was repeated after it won, lost or was even, each as (repeats, total)."""
        kept: dict[str, tuple[int, int]] = {}
        for k in range(len(self.own) - 1):
            result = self.outcome(self.own[k], self.other[k])
            again, total = kept.get(result, (0, 0))
            kept[result] = (again + (self.own[k] == self.own[k + 1]), total + 1)
        return kept

    def guessers(self) -> dict[str, int]:
        """Return how many choices, from the second on, each way of guessing would have predicted."""
        return {
            name: sum(guess(self.own[:k], self.other[:k]) == self.own[k] for k in range(1, len(self.own)))
            for name, guess in self._ways_of_guessing().items()
        }

    def outcome(self, own: str, other: str) -> str:
        """Return the result of one stance against another: won, lost or even."""
        if self.beats(own, other or None):
            return "won"
        return "lost" if self.beats(other or None, own) else "even"

    def answer_to(self, stance: str) -> str | None:
        """Return the stance that beats this one, or None unless there is exactly one."""
        answers = [better for better in STANCES if self.beats(better, stance or None)]
        return answers[0] if len(answers) == 1 else None

    def _ways_of_guessing(self) -> dict[str, Guess]:
        return {
            "the stance you have taken most": lambda own, other: most_common(own),
            "the stance you took last": lambda own, other: own[-1],
            "what followed your last stance": lambda own, other: after_last(own, 1),
            "what followed your last two stances": lambda own, other: after_last(own, 2),
            "what beats the enemy's last stance": lambda own, other: self.answer_to(other[-1]),
            "the enemy's last stance": lambda own, other: other[-1],
            "what beats your own last stance": lambda own, other: self.answer_to(own[-1]),
        }


def most_common(stances: Stances) -> str | None:
    """Return the most frequent stance; ties go to the latest."""
    counts = Counter(stances)
    return max(reversed(stances), key=counts.__getitem__, default=None)


def after_last(own: Stances, length: int) -> str | None:
    """Return the most frequent successor of the last `length` stances, or of fewer if those had no successor before."""
    for longest in range(length, -1, -1):
        latest = tuple(own[len(own) - longest :])
        followed = [own[k] for k in range(longest, len(own)) if tuple(own[k - longest : k]) == latest]
        if followed:
            return most_common(followed)
    return None


def habit_lines(habits: Habits) -> list[str]:
    """Describe the habits in sentences."""
    rounds = len(habits.own)
    if not rounds:
        return ["You took no stance."]
    shares = ", ".join(
        f"{stance} {count} ({100 * count / rounds:.0f} %)" for stance, count in habits.counts().items() if count
    )
    lines = [f"Stances: {shares}."]
    if rounds < 2:
        return [*lines, "One stance does not make a habit."]
    for before, then in habits.after().items():
        lines.append(f"After {before}: {', '.join(f'{stance} {count}' for stance, count in then.items())}.")
    words = {"won": "it beat the enemy's", "lost": "it was beaten", "even": "neither beat the other"}
    kept = [f"{again} of {total} times when {words[result]}" for result, (again, total) in habits.kept().items()]
    lines.append(f"You kept your stance {'; '.join(kept)}.")
    guessers = habits.guessers()
    best = max(guessers, key=guessers.__getitem__)
    hits, total = guessers[best], rounds - 1
    lines.append(
        f"Easiest guess: {best}, right {hits} of {total} times ({100 * hits / total:.0f} %); "
        f"blind guessing is right 1 time in 4, and the best of {len(guessers)} ways looks better than it is."
    )
    return lines
