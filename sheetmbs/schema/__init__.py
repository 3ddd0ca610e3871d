"""What each sheet may hold: columns, units, expressions."""
