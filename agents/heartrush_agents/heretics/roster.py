"""The agents of Heretics: its scripted enemies, which `load` knows by id, and the population of its arena."""

from heartrush_agents.heretics.captain import CAPTAIN
from heartrush_agents.heretics.charger import CHARGER

UNLISTED = (CAPTAIN, CHARGER)
POPULATION = ("random", "uniform", CHARGER.id, CAPTAIN.id)
