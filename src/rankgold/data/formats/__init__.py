"""One module per format: files in, rows out. `registry` lists them all."""
