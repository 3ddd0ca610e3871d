"""What the data themselves tell of their faults: one file a check. Faults are said, never repaired."""
