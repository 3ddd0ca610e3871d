"""What a workbook says: frozen dataclasses in SI."""
