"""Results in, text out: one table writer for all of them."""
