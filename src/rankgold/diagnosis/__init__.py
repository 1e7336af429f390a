"""Judgements and runs in, what is wrong with them out, before anyone scores them."""
