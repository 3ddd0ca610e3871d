"""The car on its tyres: steady states, and the diagrams that are made of them."""
