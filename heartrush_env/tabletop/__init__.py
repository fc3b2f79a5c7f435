"""The foundation shared by all games: compilation, random numbers, records, files, and the Game protocol."""
