"""The record of a fight, its log of events, and the choices of fighters."""
