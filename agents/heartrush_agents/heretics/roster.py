"""The agents of Heretics: its scripted enemy, which `load` knows by id, and the population of its arena."""

from heartrush_agents.heretics.charger import CHARGER

UNLISTED = (CHARGER,)
POPULATION = ("random", "uniform", CHARGER.id)
