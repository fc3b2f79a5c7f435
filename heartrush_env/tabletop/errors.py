"""The errors of the package. Each message is one sentence that says where the fault is, what was expected and found.

A file with several faults raises one error whose message lists them, one sentence each; `faults` holds one error for
each of them.
"""


class HeartRushError(ValueError):
    """An invalid input; the message says where it is, what was expected and what was found: "expected X, got Y"."""

    faults: "tuple[HeartRushError, ...]" = ()  # the errors that the message lists, if there are several


class ScenarioError(HeartRushError):
    """An error for a scenario that cannot be read, or that violates a rule for setting up fights."""


class ScenarioWarning(UserWarning):
    """A warning about a scenario that is allowed but probably a mistake; the message gives the reason."""


class RulesError(HeartRushError):
    """An error for a setting of the rules that is unknown or not implemented yet, or that has an invalid value."""


class IllegalAction(HeartRushError):
    """An error for a chosen action that is not legal now; the message names the legal actions."""


class DiceError(HeartRushError):
    """An error for given dice: a result that exceeds its die, or that is not a whole number of at least 1."""


class PolicyError(HeartRushError):
    """An error for a player's policy that does not have one probability for each action."""


class SnapshotError(HeartRushError):
    """An error for a snapshot that cannot be taken or restored: wrong scenario, wrong version, or damaged content."""
