"""The errors of the package: each message is one sentence that says what was found and what is allowed.

A file with several faults raises one error whose message lists them, a sentence each; `faults` holds the single ones.
"""


class HeartRushError(ValueError):
    """Something given to the package is not allowed; the message says what and what would be."""

    faults: "tuple[HeartRushError, ...]" = ()  # those that the message lists, if there are several


class ScenarioError(HeartRushError):
    """A scenario cannot be read or breaks a rule of how fights are set up."""


class ScenarioWarning(UserWarning):
    """A scenario is allowed, but hardly what its author wants; the message says why."""


class RulesError(HeartRushError):
    """A rules setting is unknown, has a value that is not allowed, or is not played yet."""


class IllegalAction(HeartRushError):
    """An action was chosen that the rules do not allow now; the message names what was legal."""


class DiceError(HeartRushError):
    """Given dice do not fit: a value is larger than the die it stands for, or is no die result at all."""


class PolicyError(HeartRushError):
    """What a player gives as its policy is not one probability for each action."""


class SnapshotError(HeartRushError):
    """A snapshot cannot be taken or restored: wrong scenario, wrong version, or damaged content."""
