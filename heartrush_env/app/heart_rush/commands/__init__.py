"""Commands that support only Heart Rush: lists and rules, sheets and checks, encounters, and exact duels."""
