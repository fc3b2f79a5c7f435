"""Training for Heart Rush alone: recipes for exact duels and for entities, and their networks."""
