"""Methods that work by derivatives of the model: fits of measured columns, and tolerances that are carried linearly."""
