"""The recipe for duels in secret beats."""
