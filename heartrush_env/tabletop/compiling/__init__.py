"""Compilation to machine code: everything that needs Numba, imported only when a kernel finds no matching code."""
