"""What all integrators share: limits of steps, events, reported rows."""
