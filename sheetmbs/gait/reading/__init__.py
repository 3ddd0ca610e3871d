"""From the sheets of a gait workbook to what it says."""
