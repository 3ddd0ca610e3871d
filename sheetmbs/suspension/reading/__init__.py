"""From the suspension sheets to a car."""
