"""Fights hosted with their full rules, for front ends that have none: seats, secret choices, events, a store."""
