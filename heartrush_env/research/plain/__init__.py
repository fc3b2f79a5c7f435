"""Duels under the profile "plain": states are hit points and heart dice."""
