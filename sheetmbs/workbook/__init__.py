"""The only place that knows xlsx: reading, result sheets, charts, merging them into the user's file."""
