"""Springs, stops and bars: their forces, and the rates that they make of the wheels."""
