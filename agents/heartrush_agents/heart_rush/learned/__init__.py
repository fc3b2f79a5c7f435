"""Networks for Heart Rush alone: one that plays all duels, and one that reads entities. They need no torch."""
