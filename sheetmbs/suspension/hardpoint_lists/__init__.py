"""Lists of hardpoints as other programs have them, and how they come onto the sheet Hardpoints."""
