"""A fight of Heart Rush in words, for terminals and pages alike: what happens, what may be chosen, what it shows."""
