"""The game's kernel."""

from heartrush_env.tabletop.kernels import kernel

from .rules import worth_of


@kernel
def pay(actions, rewards):
    """Write the points for each seat's hand."""
    for slot in range(rewards.shape[0]):
        for seat in range(rewards.shape[1]):
            rewards[slot, seat] = worth_of(actions[slot, seat])
