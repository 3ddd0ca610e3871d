"""Before the first step: ranks of the constraints, masses, initial conditions, assembly."""
