"""Describes the commands of the shell."""
