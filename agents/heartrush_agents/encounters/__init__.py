"""Encounters for game masters: how hard a fight is, what an adventuring day leaves, and which monsters make it fair."""
