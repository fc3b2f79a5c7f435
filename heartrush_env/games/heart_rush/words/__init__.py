"""A fight of Heart Rush in words, for terminals and web pages: events, choices, and lessons from the fight."""
