"""Offers the interfaces of other tools, of training loops and of pytest."""
