"""The agents of Heretics: its scripted enemies, which `load` knows by id, and the population of its arena."""

from dataclasses import replace

from heartrush_agents.difficulty import shipped_levels
from heartrush_agents.heretics.captain import CAPTAIN
from heartrush_agents.heretics.charger import CHARGER

UNLISTED = (replace(CAPTAIN, levels=shipped_levels(CAPTAIN.id, "heretics")), CHARGER)
USUAL, YARDSTICK = CAPTAIN.id, CHARGER.id
POPULATION = ("random", "uniform", CHARGER.id, CAPTAIN.id)
