"""Games outside Python: their kernels as WebAssembly, a description of everything around these, and a host."""
