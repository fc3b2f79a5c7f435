"""Uncanny Accuracy."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure

ADVANTAGE = figure("uncanny_accuracy", "advantage")


@ability("uncanny_accuracy")
class UncannyAccuracy:
    """Every attack roll of the owner has advantage."""

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE
