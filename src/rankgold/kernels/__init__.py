"""NumPy over queries that stand side by side: arrays in, arrays out."""
