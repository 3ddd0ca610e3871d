"""The cells of a workbook as they stand in the file, each with its address."""
