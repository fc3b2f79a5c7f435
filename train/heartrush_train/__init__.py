"""Making agents for Heart Rush and measuring them: recipes that read from top to bottom, and ratings."""
