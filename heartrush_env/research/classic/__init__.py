"""Classic duels under the profile "plain": values, solutions and responses, by the turns of a round."""
