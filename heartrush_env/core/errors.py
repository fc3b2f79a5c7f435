"""The errors of the package: each message is one sentence that says what was found and what is allowed."""


class HeartRushError(ValueError):
    """Something given to the package is not allowed; the message says what and what would be."""


class ScenarioError(HeartRushError):
    """A scenario cannot be read or breaks a rule of how fights are set up."""


class RulesError(HeartRushError):
    """A rules setting is unknown, has a value that is not allowed, or is not played yet."""


class IllegalAction(HeartRushError):
    """An action was chosen that the rules do not allow now; the message names what was legal."""


class DiceError(HeartRushError):
    """Given dice do not fit: a value is larger than the die it stands for, or is no die result at all."""


class SnapshotError(HeartRushError):
    """A snapshot cannot be taken or restored: wrong scenario, wrong version, or damaged content."""
