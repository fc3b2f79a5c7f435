"""The errors of the package: each message is one sentence: where the fault is, what was expected, what was found.

A file with several faults raises one error whose message lists them, one sentence each; `faults` holds one error for
each of them.
"""


class HeartRushError(ValueError):
    """An invalid input; the message says where it is, what was expected and what was found: "expected X, got Y"."""

    faults: "tuple[HeartRushError, ...]" = ()  # the errors that the message lists, if there are several


class ScenarioError(HeartRushError):
    """A scenario cannot be read, or violates a rule for setting up fights."""


class ScenarioWarning(UserWarning):
    """A scenario is allowed but probably a mistake; the message gives the reason."""


class RulesError(HeartRushError):
    """A setting of the rules is unknown, not implemented yet, or has an invalid value."""


class IllegalAction(HeartRushError):
    """The chosen action is not legal now; the message names the legal actions."""


class DiceError(HeartRushError):
    """Given dice are invalid: a value exceeds its die, or is not a whole number of at least 1."""


class PolicyError(HeartRushError):
    """A player's policy does not have one probability for each action."""


class SnapshotError(HeartRushError):
    """A snapshot cannot be taken or restored: wrong scenario, wrong version, or damaged content."""
