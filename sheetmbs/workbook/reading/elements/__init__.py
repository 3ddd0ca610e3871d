"""The elements of a model, each kind from its sheet."""
