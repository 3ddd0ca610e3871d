"""What a trial is: as recorded, as the workbook describes it, and its courses."""
