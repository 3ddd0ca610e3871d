"""How metrics change with hardpoints and lengths: one solve gives the motion of all bodies per unit of each of them."""
