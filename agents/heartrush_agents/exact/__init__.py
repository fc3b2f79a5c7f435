"""Agents that play exact solutions of their duel, or exact answers to another agent."""
