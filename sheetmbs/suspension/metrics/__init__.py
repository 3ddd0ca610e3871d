"""What is read off a wheel and an axle, each with its definition."""
