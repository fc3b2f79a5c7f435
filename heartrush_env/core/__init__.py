"""The foundation shared by all games: compiling, random numbers, records, files, and the Game protocol."""
