"""The page of `heartrush serve` without a server: its files, and the facts and words of scenarios as data."""
