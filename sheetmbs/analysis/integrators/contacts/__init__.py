"""Contacts in joints with clearance: where they begin and end."""
