"""The desk of Heart Rush for encounters: counts of all its events, bands of difficulty, pages to print, and days."""
