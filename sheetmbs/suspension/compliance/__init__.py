"""Suspensions with elastic parts: equilibrium of bushings, links, springs and bars, and exact compliance."""
