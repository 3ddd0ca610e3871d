"""From plates, contacts and segments to wrenches on feet, loads of joints, and what they leave over."""
