"""The command line: one file per command; what it prints is made elsewhere."""
