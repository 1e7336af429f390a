"""What a measure is: its declaration, its names, its parameters and its description."""
