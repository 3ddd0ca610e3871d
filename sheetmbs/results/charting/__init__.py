"""Which charts are drawn, and over what."""
