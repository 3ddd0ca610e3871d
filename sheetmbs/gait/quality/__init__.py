"""Faults of gait data, one file a topic. Faults are reported, never repaired."""
