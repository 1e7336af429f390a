"""Matches rankings with judgements, with each other and with a catalogue."""
