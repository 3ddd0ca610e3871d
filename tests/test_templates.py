"""The templates: as their script makes them, sound, ready to run, and forms as people need them."""
