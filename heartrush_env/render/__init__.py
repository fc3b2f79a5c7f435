"""Pictures of fights, drawn from plain data that holds nothing hidden."""
