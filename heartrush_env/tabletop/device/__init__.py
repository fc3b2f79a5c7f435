"""Fights on a device, such as a GPU: its memory, arrays in it, and kernels that run there."""
