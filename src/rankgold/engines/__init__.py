"""Where rows are read and matched. An engine hands out hits, or runs the work that it is given where the hits are."""
