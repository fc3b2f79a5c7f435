"""Making machine code: everything that needs Numba, which is imported when a kernel finds no code that fits."""
