"""Members as parts: what they carry against what they bear, angles of their rod ends, and clearances between them."""
