"""Duels under the profile "plain": hit points and heart dice, and nothing else."""
