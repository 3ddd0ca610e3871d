"""What the program itself thinks of its results: accuracy, doubts, notes."""
