"""Load cases: forces of the road on the wheels, the pose that they make, and what every member carries there."""
