"""What metrics are to be: targets, and how far each design is from them."""
