"""Commands for Heart Rush alone: lists and rules, sheets and checks, encounters, and exact duels."""
