"""From points to the motion of segments, one file for each way."""
