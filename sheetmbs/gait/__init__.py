"""Gait: from markers and force plates to joint angles, moments and powers, and a report."""
