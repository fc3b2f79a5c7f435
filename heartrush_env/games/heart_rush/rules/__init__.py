"""The rules of the book in its own terms, one chapter per file. Rulings are cited as "R-7" and listed in RULINGS.md."""
