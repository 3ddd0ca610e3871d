"""What can be asked of a model: motion, forces, dynamics."""
