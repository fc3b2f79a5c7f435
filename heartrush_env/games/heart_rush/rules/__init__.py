"""The rulebook in its own words, one chapter per file. Rulings are cited as "R-7" and listed in RULINGS.md."""
