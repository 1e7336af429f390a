"""Random cases without end: every form and engine against the plain reference, hostile files, odd commands.

`scripts/fuzz` runs it. A part is a function of random data that raises `Failure` where something is wrong.
"""
