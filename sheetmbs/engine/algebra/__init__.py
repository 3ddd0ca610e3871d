"""Linear and nonlinear systems: order of elimination, factors, Newton."""
