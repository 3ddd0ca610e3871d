"""From cells to a model, or to everything that is wrong with them."""
