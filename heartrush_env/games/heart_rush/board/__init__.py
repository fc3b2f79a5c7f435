"""Pictures of fights, drawn from plain data that contains nothing hidden."""
