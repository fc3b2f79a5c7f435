"""The rulebook, a chapter a file, in the book's words. Rulings are cited as "R-7" and stand in RULINGS.md."""
