"""Results into the user's workbook, and new workbooks."""
