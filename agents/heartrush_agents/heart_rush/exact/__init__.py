"""Agents that play exact solutions of their duel, or exact responses to another agent."""
