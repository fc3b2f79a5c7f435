"""Everything that a fighter may choose, one class each."""
